import assert from 'node:assert/strict';
import { newId } from '../../db/ids.ts';
import type { AuditLog } from '../../db/models/audit-log.ts';
import * as build from './build.ts';
import { type Service, service } from './service.ts';

describe('GET /api/audit-logs', () => {
  let app: Service;
  before(async () => {
    app = await service();
  });

  const list = ({ owner }: build.Business, query: Record<string, string> = {}) =>
    app.get(`/api/audit-logs?${new URLSearchParams(query).toString()}`, owner);

  /** Adds one entry per day, 1 to n November 2025, to those of the setup. */
  async function logged({ tenantId, userId }: build.Business, n: number, fields: Partial<AuditLog> = {}) {
    const rows = Array.from({ length: n }, (_, i) => ({
      id: newId(),
      tenantId,
      userId,
      actor: 'user',
      action: 'update',
      entity: 'product',
      entityId: `p${i + 1}`,
      metadata: '{}',
      createdAt: new Date(Date.UTC(2025, 10, i + 1, 23, 59, 59, 999)),
      ...fields,
    }));
    await app.deps.withTenant(tenantId, (trx) => trx('auditLogs').insert(rows));
  }
  const entitiesOf = (data: readonly { entityId: string }[]) => data.map(({ entityId }) => entityId);

  it('answers 200 {data, total, page, totalPages} with action and user of each entry, newest first', async () => {
    const business = await build.business();
    const { id } = await build.quote(business.owner);
    await app.patch(`/api/quotes/${id}/status`, { status: 'SENT' }, business.owner);

    const res = await list(business);

    assert.equal(res.status, 200);
    const { id: entryId, createdAt, ...entry } = res.body.data[0];
    assert.deepEqual(entry, {
      action: 'status_change',
      entity: 'quote',
      entityId: id,
      metadata: { quoteNumber: 1, from: 'GENERATED', to: 'SENT' },
      tenantId: business.tenantId,
      user: { id: business.userId, name: 'Diana', email: business.email },
    });
    assert.ok(entryId.startsWith('c'));
    assert.ok(Date.parse(createdAt) <= Date.now());
    assert.deepEqual([res.body.page, res.body.totalPages], [1, 1]);
    assert.equal(res.body.total, res.body.data.length);
  });

  it('shows user null for actions of the service or of a client', async () => {
    const business = await build.business();
    await logged(business, 1, { userId: null, actor: 'portal', action: 'share' });

    const res = await list(business, { action: 'share' });

    assert.equal(res.body.data[0].user, null);
  });

  it('filters by action, entity and userId', async () => {
    const business = await build.business();
    const carlos = await build.member(business);
    await logged(business, 2);
    await logged({ ...business, userId: carlos.userId }, 1, { action: 'delete', entityId: 'x' });

    assert.deepEqual(entitiesOf((await list(business, { entity: 'product' })).body.data).toSorted(), ['p1', 'p2', 'x']);
    assert.deepEqual(entitiesOf((await list(business, { action: 'delete' })).body.data), ['x']);
    assert.deepEqual(entitiesOf((await list(business, { userId: carlos.userId })).body.data), ['x']);
    assert.deepEqual((await list(business, { entity: 'product', action: 'update' })).body.total, 2);
    assert.deepEqual((await list(business, { entity: 'webhook' })).body.total, 0);
  });

  it('filters by from and to, where to includes its whole day', async () => {
    const business = await build.business();
    await logged(business, 5);

    const res = await list(business, { from: '2025-11-02', to: '2025-11-03' });

    assert.deepEqual([entitiesOf(res.body.data), res.body.total], [['p3', 'p2'], 2]);
  });

  it('has pages of 25 by default and of 100 at most', async () => {
    const business = await build.business();
    await logged(business, 30);

    const first = await list(business, { entity: 'product' });
    const second = await list(business, { entity: 'product', page: '2' });
    const all = await list(business, { entity: 'product', limit: '100' });
    const last = await list(business, { page: '1000' });

    assert.deepEqual([first.body.data.length, second.body.data.length, first.body.totalPages], [25, 5, 2]);
    assert.deepEqual([all.body.data.length, all.body.totalPages], [30, 1]);
    assert.deepEqual([last.status, last.body.data], [200, []]);
  });

  const malformed: readonly Record<string, string>[] = [
    { from: '2026-13-01' },
    { from: 'ayer' },
    { to: '2026-11-01T00:00:00Z' },
    { to: '2026-11-1' },
    { userId: 'no-soy-un-cuid' },
    { userId: '\u0000' },
    { action: 'x'.repeat(101) },
  ];
  for (const query of malformed) {
    it(`answers 400 «Parámetros inválidos» to ${JSON.stringify(query).slice(0, 40)}`, async () => {
      const res = await list(await build.business(), query);

      assert.deepEqual([res.status, res.body.error, res.body.code], [400, 'Parámetros inválidos', 'invalid']);
    });
  }

  it('answers 200 with all entries when from and to are empty', async () => {
    const business = await build.business();
    await logged(business, 3);

    const res = await list(business, { entity: 'product', from: '', to: '' });

    assert.deepEqual([res.status, res.body.total], [200, 3]);
  });

  it('answers 400 «Parámetros inválidos» to a repeated parameter', async () => {
    const { owner } = await build.business();

    const res = await app.get('/api/audit-logs?action=a&action=b', owner);

    assert.deepEqual([res.status, res.body.error], [400, 'Parámetros inválidos']);
  });

  it('shows no entries of another business, even with a filter for its user', async () => {
    const other = await build.business();

    const res = await list(await build.business(), { userId: other.userId });

    assert.deepEqual([res.body.data, res.body.total], [[], 0]);
  });
});
