import assert from 'node:assert/strict';
import { createImportActivities } from '../../activities/imports.ts';
import { Client } from '../../db/models/client.ts';
import * as build from '../api/build.ts';
import { type Service, service } from '../api/service.ts';
import { csv, fileForm } from '../api/spreadsheet-files.ts';
import { auditOf } from '../api/stored.ts';

describe('importAllRows', () => {
  let app: Service;
  let activities: ReturnType<typeof createImportActivities>;
  let business: build.Business;
  before(async () => {
    app = await service();
    activities = createImportActivities(app.deps);
  });
  beforeEach(async () => {
    business = await build.business();
  });

  /** Uploads so many clients; no worker runs here. */
  async function upload(count: number, { query = '', from = 0 } = {}) {
    const rows = Array.from({ length: count }, (_, i) => [`Cliente ${i + from}`, `c${i + from}@muchos.test`]);
    const res = await fetch(`${app.url}/api/clients/import${query}`, {
      method: 'POST',
      headers: business.owner,
      body: fileForm(csv([['contacto', 'correo'], ...rows])),
    });
    assert.equal(res.status, 202);
    const { id } = (await res.json()) as { id: string };
    return { tenantId: business.tenantId, importId: id };
  }
  const report = async (importId: string) => (await app.get(`/api/imports/${importId}`, business.owner)).body;
  const clientCount = () => {
    const { tenantId } = business;
    return app.deps.withTenant(tenantId, (trx) => Client.query(trx).where({ tenantId }).resultSize());
  };
  const contentOf = async (importId: string) => {
    const { rows } = await app.deps.withTenant(business.tenantId, (trx) =>
      trx.raw<{ rows: { content: Buffer | null }[] }>('select content from imports where id = ?', [importId]),
    );
    return rows[0]?.content;
  };

  it('saves 2,000 clients once, with one audit entry, and deletes the stored rows', async () => {
    const ref = await upload(2_000);

    assert.deepEqual(await activities.importAllRows(ref), { outcome: 'completed' });
    assert.deepEqual(await activities.importAllRows(ref), { outcome: 'closed' });

    const { status, total, done, created } = await report(ref.importId);
    assert.deepEqual([status, total, done, created], ['COMPLETED', 2_000, 2_000, 2_000]);
    assert.deepEqual([await clientCount(), await contentOf(ref.importId)], [2_000, null]);
    assert.deepEqual(
      (await auditOf(business, ref.importId)).map(({ action, userId, metadata }) => [action, userId, metadata]),
      [['import', business.userId, { created: 2_000, skipped: 0 }]],
    );
  });

  it('run twice at the same time saves each client once', async () => {
    const ref = await upload(600);

    const outcomes = await Promise.all([activities.importAllRows(ref), activities.importAllRows(ref)]);

    assert.deepEqual(outcomes.map(({ outcome }) => outcome).sort(), ['closed', 'completed']);
    assert.deepEqual([await clientCount(), (await auditOf(business, ref.importId)).length], [600, 1]);
  });

  it('saves nothing when a client exists, and reports the row', async () => {
    await app.post('/api/clients', { contactName: 'Ana', email: 'c550@muchos.test' }, business.owner);
    const ref = await upload(600);

    assert.deepEqual(await activities.importAllRows(ref), { outcome: 'failed' });

    const { status, created, errors } = await report(ref.importId);
    assert.deepEqual([status, created], ['FAILED', 0]);
    assert.deepEqual(errors, [{ row: 552, column: 'correo', message: 'ya existe un cliente con este correo' }]);
    assert.equal(await clientCount(), 1);
  });

  it('skips an existing client with onDuplicate=skip, and lets the next import run', async () => {
    await app.post('/api/clients', { contactName: 'Ana', email: 'C5@muchos.test' }, business.owner);
    const first = await upload(600, { query: '?onDuplicate=skip' });
    await activities.importAllRows(first);
    const second = await upload(501, { from: 600, query: '?dryRun=true' });

    assert.deepEqual(await activities.importAllRows(second), { outcome: 'completed' });

    const { created, skipped } = await report(first.importId);
    assert.deepEqual([created, skipped, (await report(second.importId)).created], [599, 1, 501]);
    assert.equal(await clientCount(), 600);
  });

  it('given up reports that nothing was saved; one that has ended keeps its report', async () => {
    const ref = await upload(600);

    assert.deepEqual(await activities.giveUpImport(ref), { outcome: 'failed' });
    assert.deepEqual(await activities.giveUpImport(ref), { outcome: 'closed' });
    assert.deepEqual(await activities.importAllRows(ref), { outcome: 'closed' });

    const { status, errors } = await report(ref.importId);
    assert.equal(status, 'FAILED');
    assert.match(errors[0].message, /no se guardó ninguna fila/);
    assert.equal(await clientCount(), 0);
  });
});
