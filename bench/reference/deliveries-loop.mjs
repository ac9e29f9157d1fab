// Deliveries by the least that could do it: a loop claims sixteen rows, posts them and records them in one statement. It
// has no leases, no retries, no limits for an endpoint. DATABASE_URL is a superuser's.
import { setTimeout as sleep } from 'node:timers/promises';
import { Pool } from 'pg';
import { postSigned } from './post-signed.mjs';
import { ready } from './ready.mjs';

const pool = new Pool({ connectionString: process.env.DATABASE_URL, max: 2 });

async function pass() {
  const client = await pool.connect();
  try {
    await client.query('begin');
    const { rows } = await client.query(
      'select id, url, secret, body from peer_outbox where status_code is null order by id limit 16 for update skip locked',
    );
    const statuses = await Promise.all(rows.map(postSigned));
    await client.query(
      `update peer_outbox o set status_code = r.status, done_at = now()
         from unnest($1::bigint[], $2::int[]) as r (id, status) where o.id = r.id`,
      [rows.map(({ id }) => id), statuses],
    );
    await client.query('commit');
    return rows.length;
  } finally {
    client.release();
  }
}

ready();
for (;;) if ((await pass()) === 0) await sleep(20);
