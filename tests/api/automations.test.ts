import assert from 'node:assert/strict';
import { newId } from '../../db/ids.ts';
import { AutomationLog } from '../../db/models/automation-log.ts';
import * as build from './build.ts';
import { type Credential, type Service, service } from './service.ts';
import { auditOf } from './stored.ts';

const NOTIFY = { type: 'send_notification', title: 'Hola', body: 'Cotización {{quote.quoteNumber}}' };
const BASIC = { name: 'Avisar', trigger: 'QUOTE_CREATED', actions: [NOTIFY] };

describe('/api/automations', () => {
  let app: Service;
  before(async () => {
    app = await service();
  });

  const create = async (as: Credential, body: Record<string, unknown> = {}) => {
    const res = await app.post('/api/automations', { ...BASIC, ...body }, as);
    assert.equal(res.status, 201, JSON.stringify(res.body));
    return res.body as { id: string; updatedAt: string };
  };
  const remove = (id: string, as: Credential) => app.request('DELETE', `/api/automations/${id}`, { headers: as });

  /** Runs of an automation as the worker writes them, oldest first. */
  async function runs(business: build.Business, automationId: string, n: number): Promise<string[]> {
    const { id: quoteId } = await build.quote(business.owner);
    const { tenantId } = business;
    const rows = Array.from({ length: n }, (_, i) => ({
      id: newId(),
      tenantId,
      automationId,
      quoteId,
      eventId: newId(),
      conditions: '[]',
      actions: '[]',
      delayMinutes: 0,
      status: 'FAILED' as const,
      error: 'acción 0 (send_email): sin correo',
      triggeredAt: new Date(Date.UTC(2026, 0, 1, 0, 0, i)),
      completedAt: new Date(Date.UTC(2026, 0, 1, 0, 1, i)),
    }));
    await app.deps.withTenant(tenantId, (trx) => AutomationLog.query(trx).insert(rows));
    return rows.map(({ id }) => id);
  }

  describe('POST', () => {
    it('answers 201 with every kind of condition and action as sent', async () => {
      const { owner } = await build.business();
      const label = await app.post('/api/labels', { name: 'Grande', color: '#ff0000' }, owner);
      const body = {
        name: 'Todo',
        trigger: 'QUOTE_SENT',
        isActive: false,
        delayMinutes: 525_600,
        conditions: [
          { field: 'status', operator: 'eq', value: 'SENT' },
          { field: 'total', operator: 'gte', value: 1000 },
          { field: 'subtotal', operator: 'lt', value: '5000.50' },
          { field: 'notes', operator: 'is_empty' },
          { field: 'items.model', operator: 'contains', value: 'SE' },
        ],
        actions: [
          { type: 'send_email', to: 'client', subject: 'Para {{client.contactName}}', body: 'Total {{ quote.total }}' },
          { type: 'send_email', to: 'custom', customEmail: 'ventas@acme.example', subject: 'a', body: 'b' },
          NOTIFY,
          { type: 'change_status', newStatus: 'WON' },
          { type: 'add_label', labelId: label.body.id },
          { type: 'create_reminder', delayMinutes: 0, message: 'Llamar' },
          {
            type: 'fire_webhook',
            url: 'https://hooks.example.com/x',
            headers: { Authorization: 'Bearer s' },
            includeItems: false,
          },
        ],
      };

      const res = await app.post('/api/automations', body, owner);

      assert.equal(res.status, 201, JSON.stringify(res.body));
      const { id, createdAt, updatedAt, ...rest } = res.body;
      assert.match(id, /^c[a-z0-9]{24}$/);
      assert.equal(createdAt, updatedAt);
      assert.deepEqual(rest, body);
    });

    it('defaults: active, no conditions, no delay, with items', async () => {
      const { owner } = await build.business();

      const res = await app.post(
        '/api/automations',
        { ...BASIC, actions: [{ type: 'fire_webhook', url: 'https://hooks.example.com/x' }] },
        owner,
      );

      const { isActive, conditions, delayMinutes, actions } = res.body;
      assert.deepEqual([isActive, conditions, delayMinutes, actions[0].includeItems], [true, [], 0, true]);
    });

    it('drops unknown members of each action and condition and keeps known ones', async () => {
      const { owner } = await build.business();

      const res = await app.post(
        '/api/automations',
        {
          ...BASIC,
          tenantId: newId(),
          conditions: [{ field: 'total', operator: 'gt', value: 1, extra: 1 }],
          actions: [
            { ...NOTIFY, url: 'http://10.0.0.1', to: 'owner' },
            { type: 'change_status', newStatus: 'WON', title: 'no' },
          ],
        },
        owner,
      );

      assert.deepEqual(res.body.conditions, [{ field: 'total', operator: 'gt', value: 1 }]);
      assert.deepEqual(res.body.actions, [NOTIFY, { type: 'change_status', newStatus: 'WON' }]);
    });

    it('writes the audit entry «create» without header values', async () => {
      const business = await build.business();
      const actions = [
        { type: 'fire_webhook', url: 'https://hooks.example.com/x', headers: { Authorization: 'Bearer muy-secreto' } },
      ];
      const { id } = await create(business.owner, { actions });

      const [entry, ...more] = await auditOf(business, id);

      assert.deepEqual([entry?.action, entry?.entity, more.length], ['create', 'automation', 0]);
      assert.ok(!JSON.stringify(entry).includes('muy-secreto'));
    });

    const action = (fields: object) => ({ ...BASIC, actions: [NOTIFY, fields] });
    const condition = (fields: object) => ({ ...BASIC, conditions: [fields] });
    it('answers 400 to an unknown condition field', async () => {
      const { owner } = await build.business();

      const res = await app.post(
        '/api/automations',
        condition({ field: 'user.email', operator: 'eq', value: 'x' }),
        owner,
      );

      assert.equal(res.status, 400);
      assert.match(res.body.error, /^conditions\.0\.field: debe ser uno de: status, currency, total/);
    });

    it("answers 404 «Etiqueta no encontrada» to another business's label", async () => {
      const [mine, other] = [await build.business(), await build.business()];
      const label = await app.post('/api/labels', { name: 'Ajena', color: '#ff0000' }, other.owner);

      const res = await app.post('/api/automations', action({ type: 'add_label', labelId: label.body.id }), mine.owner);

      assert.deepEqual([res.status, res.body.error], [404, 'Etiqueta no encontrada']);
    });
  });

  describe('GET', () => {
    it('lists automations, newest first, with _count.logs', async () => {
      const business = await build.business();
      const [first, second] = [await create(business.owner), await create(business.owner)];
      await runs(business, first.id, 3);

      const { status, body } = await app.get('/api/automations', business.owner);

      assert.equal(status, 200);
      assert.deepEqual(
        body.map(({ id, _count }: { id: string; _count: object }) => [id, _count]),
        [
          [second.id, { logs: 0 }],
          [first.id, { logs: 3 }],
        ],
      );
    });

    it('shows one automation with its last 10 runs, newest first', async () => {
      const business = await build.business();
      const { id } = await create(business.owner);
      const ids = await runs(business, id, 12);

      const { body } = await app.get(`/api/automations/${id}`, business.owner);

      assert.deepEqual(
        body.logs.map((log: { id: string }) => log.id),
        ids.toReversed().slice(0, 10),
      );
      const { id: _, quoteId, ...log } = body.logs[0];
      assert.match(quoteId, /^c/);
      assert.deepEqual(log, {
        automationId: id,
        tenantId: business.tenantId,
        status: 'FAILED',
        triggeredAt: '2026-01-01T00:00:11.000Z',
        completedAt: '2026-01-01T00:01:11.000Z',
        error: 'acción 0 (send_email): sin correo',
      });
    });
  });

  describe('GET /api/automations/:id/logs', () => {
    it('answers {logs, total, page, totalPages} with pages of 20 by default', async () => {
      const business = await build.business();
      const { id } = await create(business.owner);
      const ids = await runs(business, id, 23);
      const logs = async (query = '') => (await app.get(`/api/automations/${id}/logs${query}`, business.owner)).body;

      const [one, two, past, five] = [
        await logs(),
        await logs('?page=2'),
        await logs('?page=9'),
        await logs('?limit=5&page=2'),
      ];

      assert.deepEqual([one.total, one.page, one.totalPages, one.logs.length], [23, 1, 2, 20]);
      assert.deepEqual(
        [...one.logs, ...two.logs].map((log: { id: string }) => log.id),
        ids.toReversed(),
      );
      assert.deepEqual([past.logs, past.total, five.logs.length, five.totalPages], [[], 23, 5, 5]);
    });
  });

  describe('PATCH /api/automations/:id', () => {
    it('changes the given members and audits before and after; delayMinutes 0 stays 0', async () => {
      const business = await build.business();
      const { id } = await create(business.owner, { delayMinutes: 30 });

      const res = await app.patch(`/api/automations/${id}`, { isActive: false, delayMinutes: 0 }, business.owner);

      assert.equal(res.status, 200);
      assert.deepEqual(
        [res.body.name, res.body.isActive, res.body.delayMinutes, res.body.actions],
        ['Avisar', false, 0, [NOTIFY]],
      );
      const [, update] = await auditOf(business, id);
      assert.deepEqual(update?.metadata, {
        before: { isActive: true, delayMinutes: 30 },
        after: { isActive: false, delayMinutes: 0 },
      });
    });

    it('writes nothing when nothing changes', async () => {
      const business = await build.business();
      const { id, updatedAt } = await create(business.owner);

      const res = await app.patch(`/api/automations/${id}`, BASIC, business.owner);

      assert.deepEqual([res.status, res.body.updatedAt], [200, updatedAt]);
      assert.equal((await auditOf(business, id)).length, 1);
    });
  });

  describe('DELETE /api/automations/:id', () => {
    it('answers {ok: true} and deletes the automation with its runs', async () => {
      const business = await build.business();
      const { id } = await create(business.owner);
      await runs(business, id, 2);

      const res = await remove(id, business.owner);

      assert.deepEqual([res.status, res.body], [200, { ok: true }]);
      const left = await app.deps.withTenant(business.tenantId, (trx) =>
        AutomationLog.query(trx).where({ tenantId: business.tenantId }).resultSize(),
      );
      assert.equal(left, 0);
      assert.equal((await remove(id, business.owner)).status, 404);
      const [, entry] = await auditOf(business, id);
      assert.deepEqual(
        [entry?.action, entry?.metadata],
        ['delete', { name: 'Avisar', trigger: 'QUOTE_CREATED', logs: 2 }],
      );
    });
  });
});
