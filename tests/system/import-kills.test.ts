import assert from 'node:assert/strict';
import { Client as PostgresClient } from 'pg';
import { csv, fileForm } from '../api/spreadsheet-files.ts';
import { eventually } from '../eventually.ts';
import { type Business, register } from '../journey/business.ts';
import { type Installation, installation } from '../journey/installation.ts';

const COUNT = 2_000;

describe('kill -9 during an import', () => {
  let service: Installation;
  let business: Business;

  before(async () => {
    service = await installation();
    business = await register(service);
  });

  it('of worker and API: all rows are saved once by the next worker, with one audit entry, and the report says so', async () => {
    // Stopped first, or the import might end before its row is locked.
    await service.processes.worker.kill();
    const id = await upload();
    await using lock = await heldRow(id);
    await service.startWorker();
    // All rows are inserted and nothing is committed: the import waits for its own row.
    await eventually(async () => {
      const waiting = await service.rows(
        `select from pg_locks waits join pg_locks holds using (pid)
          where not waits.granted and holds.relation = 'clients'::regclass and holds.mode = 'RowExclusiveLock'`,
      );
      assert.ok(waiting.length > 0, 'the import has not come to its end');
    });

    await Promise.all([service.processes.worker.kill(), service.processes.api.kill()]);
    const savedByKilled = await clients();
    await lock.release();
    await Promise.all([service.startApi(), service.startWorker()]);

    const report = await eventually(async () => {
      const { body } = await service.http.get(`/api/imports/${id}`, business.owner);
      assert.equal(body.status, 'COMPLETED');
      return body;
    });
    assert.deepEqual([savedByKilled, await clients(), report.created, report.done], [0, COUNT, COUNT, COUNT]);
    const entries = await service.rows(
      'select from audit_logs where tenant_id = $1 and action = $2',
      business.tenantId,
      'import',
    );
    assert.equal(entries.length, 1);
  });

  async function upload(): Promise<string> {
    const rows = Array.from({ length: COUNT }, (_, i) => [`Cliente ${i}`, `c${i}@import.test`]);
    const res = await fetch(`${service.http.url}/api/clients/import`, {
      method: 'POST',
      headers: business.owner,
      body: fileForm(csv([['contacto', 'correo'], ...rows])),
    });
    assert.equal(res.status, 202);
    return ((await res.json()) as { id: string }).id;
  }

  const clients = async () =>
    Number(
      (
        await service.rows(
          'select count(*) from clients where tenant_id = $1 and email like $2',
          business.tenantId,
          'c%@import.test',
        )
      )[0]?.['count'],
    );

  /** Locks the import's row, so that its transaction cannot end. */
  async function heldRow(id: string) {
    const client = new PostgresClient({ connectionString: service.parts.postgres.adminUrl });
    await client.connect();
    await client.query('begin');
    await client.query('select from imports where id = $1 for update', [id]);
    let isHeld = true;
    const release = async () => {
      if (!isHeld) return;
      isHeld = false;
      await client.query('rollback');
      await client.end();
    };
    return { release, [Symbol.asyncDispose]: release };
  }
});
