import assert from 'node:assert/strict';
import * as build from './build.ts';
import { type Service, service } from './service.ts';

describe('GET /api/quotes/:id/history', () => {
  let app: Service;
  before(async () => {
    app = await service();
  });

  it('lists what happened to the quote, newest first, with its author', async () => {
    const { owner } = await build.business();
    const quote = await build.quote(owner);
    const label = await app.post('/api/labels', { name: 'Urgente' }, owner);
    await app.post(`/api/quotes/${quote.id}/labels/${label.body.id}`, undefined, owner);
    await app.patch(`/api/quotes/${quote.id}/status`, { status: 'SENT' }, owner);
    await app.post(`/api/quotes/${quote.id}/revise`, { clientId: quote.client.id, items: [build.ITEM] }, owner);
    await app.post(`/api/quotes/${quote.id}/link/rotate`, undefined, owner);

    const { status, body } = await app.get(`/api/quotes/${quote.id}/history`, owner);

    assert.equal(status, 200);
    const facts = body.data.map(({ type, from, to, version, name }: Record<string, unknown>) => [
      type,
      from,
      to,
      version,
      name,
    ]);
    assert.deepEqual(facts, [
      ['link_rotated', null, null, null, null],
      ['revised', null, null, 2, null],
      ['status_changed', 'GENERATED', 'SENT', null, null],
      ['label_added', null, null, null, 'Urgente'],
      ['created', null, null, null, null],
    ]);
    assert.deepEqual(body.data[0].by, { kind: 'user', name: 'Diana' });
    assert.equal(body.total, 5);
  });

  it('names what the client did, without a member', async () => {
    const business = await build.business();
    const { id, portal } = await build.sentQuote(business);
    await app.post(`${portal}/reject`, { reason: 'Caro' });

    const { body } = await app.get(`/api/quotes/${id}/history?limit=1`, business.owner);

    const [{ type, to, by }] = body.data;
    assert.deepEqual({ type, to, by }, { type: 'status_changed', to: 'REJECTED', by: { kind: 'client', name: null } });
    assert.equal(body.totalPages, 2);
  });

  it('uses the index of the quote, however long the audit log is', async () => {
    const { deps } = await service();
    const { tenantId, owner } = await build.business();
    const { id } = await build.quote(owner);

    const plan = await deps.withTenant(tenantId, async (trx) => {
      await trx.raw('set local enable_seqscan = off');
      const { rows } = await trx.raw(
        `explain select id from audit_logs where tenant_id = ? and entity = 'quote' and entity_id = ?
         order by created_at desc, id desc limit 20`,
        [tenantId, id],
      );
      return JSON.stringify(rows);
    });

    assert.match(plan, /audit_logs_of_quote/);
  });
});

describe('GET /api/quotes/:id/versions?version=', () => {
  it('gives one version, or none', async () => {
    const app = await service();
    const { owner } = await build.business();
    const quote = await build.quote(owner);
    const body = { clientId: quote.client.id, items: [build.ITEM] };
    await app.post(`/api/quotes/${quote.id}/revise`, body, owner);
    await app.post(`/api/quotes/${quote.id}/revise`, body, owner);

    const one = await app.get(`/api/quotes/${quote.id}/versions?version=1`, owner);
    const none = await app.get(`/api/quotes/${quote.id}/versions?version=3`, owner);
    const wrong = await app.get(`/api/quotes/${quote.id}/versions?version=0`, owner);

    assert.deepEqual(
      one.body.map(({ version }: { version: number }) => version),
      [1],
    );
    assert.deepEqual(none.body, []);
    assert.equal(wrong.status, 400);
  });
});

describe('POST /api/quotes/:id/share/preview', () => {
  it('gives the mail that a share would send, and changes nothing', async () => {
    const app = await service();
    const { owner } = await build.business();
    const client = await build.client(owner, { contacts: [{ name: 'Ana', email: 'ana@palma.test' }] });
    const { id } = await build.quote(owner, { clientId: client.id });

    const request = { cc: ['ana@palma.test'], message: 'Con gusto.' };
    const { status, body } = await app.post(`/api/quotes/${id}/share/preview`, request, owner);
    const { body: link } = await app.get(`/api/quotes/${id}/link`, owner);
    const { body: quote } = await app.get(`/api/quotes/${id}`, owner);

    assert.equal(status, 200);
    assert.deepEqual(body.to, [{ name: 'Laura Méndez', address: client.email }]);
    assert.deepEqual(body.cc, [{ name: 'Ana', address: 'ana@palma.test' }]);
    assert.match(body.subject, /^Cotización COT-1 /);
    assert.ok(body.text.includes('Con gusto.') && body.text.includes(link.url));
    assert.deepEqual(body.attachments, ['COT-1.pdf']);
    assert.equal(quote.status, 'GENERATED');
  });

  it('has no link on FREE, and answers 403 to an address that is not of the client', async () => {
    const app = await service();
    const { owner } = await build.business({ plan: 'FREE' });
    const { id } = await build.quote(owner);

    const { body } = await app.post(`/api/quotes/${id}/share/preview`, {}, owner);
    const refused = await app.post(`/api/quotes/${id}/share/preview`, { to: ['otro@ajeno.test'] }, owner);

    assert.ok(!body.text.includes('/p/'));
    assert.deepEqual([refused.status, refused.body.code], [403, 'plan_required']);
  });

  it('answers 400 «El cliente no tiene correo electrónico» and «La cotización está vencida»', async () => {
    const app = await service();
    const business = await build.business();
    const { owner } = business;
    const client = await build.client(owner, { email: null });
    const mute = await build.quote(owner, { clientId: client.id });
    const old = await build.quote(owner);
    await build.patchQuote(business, old.id, { expiresAt: new Date(0) });

    const noAddress = await app.post(`/api/quotes/${mute.id}/share/preview`, {}, owner);
    const expired = await app.post(`/api/quotes/${old.id}/share/preview`, {}, owner);

    assert.deepEqual([noAddress.status, noAddress.body.error], [400, 'El cliente no tiene correo electrónico']);
    assert.deepEqual([expired.status, expired.body.error], [400, 'La cotización está vencida']);
  });
});
