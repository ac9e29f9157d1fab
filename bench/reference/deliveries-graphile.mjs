// Deliveries as jobs of graphile-worker: one job each, sixteen at a time, its result a row. DATABASE_URL is a superuser's.
import { run } from 'graphile-worker';
import { Pool } from 'pg';
import { postSigned } from './post-signed.mjs';
import { ready } from './ready.mjs';

const pool = new Pool({ connectionString: process.env.DATABASE_URL, max: 16 });
await run({
  pgPool: pool,
  concurrency: 16,
  pollInterval: 1_000,
  noHandleSignals: true,
  logger: undefined,
  taskList: {
    async deliver(job) {
      const status = await postSigned(job);
      await pool.query('insert into peer_results (delivery_id, status_code) values ($1, $2)', [job.id, status]);
    },
  },
});
ready();
