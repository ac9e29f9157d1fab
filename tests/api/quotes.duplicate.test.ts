import assert from 'node:assert/strict';
import { QuoteItem } from '../../db/models/quote-item.ts';
import { expiryAfter } from '../../domain/expiry.ts';
import * as build from './build.ts';
import { type Credential, type Service, service } from './service.ts';
import { auditOf, eventsOf } from './stored.ts';

describe('POST /api/quotes/:id/duplicate', () => {
  let app: Service;
  before(async () => {
    app = await service();
  });

  const duplicate = (id: string, as: Credential) => app.post(`/api/quotes/${id}/duplicate`, undefined, as);

  it('answers 201 with a new number, token and expiry and the same lines, client, notes and shipping', async () => {
    const business = await build.business({ quoteValidityDays: 7 });
    const { id: productId } = await build.product(business);
    const items = [{ productName: 'Silla', model: 'S-1', unitPrice: 0.125, quantity: 80, discountPct: 10, productId }];
    const expiresAt = new Date(Date.now() + 3_600_000).toISOString();
    const source = await build.quote(business.owner, { items, notes: 'Hola', shippingCost: 9.5, expiresAt });

    const res = await duplicate(source.id, business.owner);

    assert.equal(res.status, 201);
    const { quoteNumber, status, version, notes, subtotal, tax, shippingCost, total, client } = res.body;
    assert.deepEqual([quoteNumber, status, version, notes], [2, 'GENERATED', 1, 'Hola']);
    assert.deepEqual([subtotal, tax, shippingCost, total], [9, 1.44, 9.5, 19.94]);
    assert.deepEqual(client, source.client);
    const [{ id: _, ...line }] = res.body.items;
    const product = { id: productId, name: 'Escritorio', modelSku: 'ES-1' };
    assert.deepEqual(line, { ...items[0], subtotal: 9, product, ...build.ADDED_TO_ITEM });
    assert.notEqual(res.body.publicToken, source.publicToken);
    const sevenDays = expiryAfter(new Date(res.body.createdAt), 7, 'America/Mexico_City');
    assert.equal(res.body.expiresAt, sevenDays.toISOString());
  });

  it('answers 201 for an older quote with longer text than new ones may have', async () => {
    const { owner, tenantId } = await build.business();
    const { id } = await build.quote(owner, { items: Array.from({ length: 101 }, () => build.ITEM) });
    await app.deps.withTenant(tenantId, async (trx) => {
      const lines = await QuoteItem.query(trx).where({ tenantId, quoteId: id });
      await QuoteItem.query(trx).where({ tenantId, quoteId: id }).delete();
      for (const line of lines) await QuoteItem.query(trx).insert(line.$set({ productName: 'ñ'.repeat(2_000) }));
    });

    const res = await duplicate(id, owner);

    assert.equal(res.status, 201);
    assert.equal(res.body.items.length, 101);
  });

  it('uses the current tax rate and keeps the currency', async () => {
    const business = await build.business();
    const { id } = await build.quote(business.owner, { currency: 'USD' });
    await build.patchTenant(business, { taxRate: '0.08' });

    const res = await duplicate(id, business.owner);

    assert.deepEqual([res.body.taxRate, res.body.tax, res.body.total, res.body.currency], [0.08, 16, 216, 'USD']);
  });

  it('the copy of a final quote is open', async () => {
    const business = await build.business();
    const { id } = await build.quote(business.owner);
    await build.patchQuote(business, id, { status: 'LOST' });

    const res = await duplicate(id, business.owner);

    assert.deepEqual([res.status, res.body.status], [201, 'GENERATED']);
  });

  it('writes one audit entry «duplicate» with the source, and one event quote.created', async () => {
    const business = await build.business();
    const source = await build.quote(business.owner);

    const { body } = await duplicate(source.id, business.owner);

    const [entry, ...others] = await auditOf(business, body.id);
    assert.deepEqual([entry?.action, others.length], ['duplicate', 0]);
    const { sourceQuoteId, sourceQuoteNumber, quoteNumber } = entry?.metadata ?? {};
    assert.deepEqual([sourceQuoteId, sourceQuoteNumber, quoteNumber], [source.id, 1, 2]);
    const events = await eventsOf(business, body.id);
    assert.deepEqual(
      events.map(({ type }) => type),
      ['quote.created'],
    );
  });

  it('the copy belongs to the collaborator who made it', async () => {
    const business = await build.business();
    const carlos = await build.member(business);
    const { id } = await build.quote(carlos.as);

    const res = await duplicate(id, carlos.as);

    const read = await app.get(`/api/quotes/${res.body.id}`, carlos.as);
    assert.deepEqual([read.status, read.body.user.name], [200, 'Carlos']);
  });

  it('answers 404 «Cliente no encontrado» for a deactivated client', async () => {
    const business = await build.business();
    const source = await build.quote(business.owner);
    await app.request('DELETE', `/api/clients/${source.client.id}`, { headers: business.owner });

    const res = await duplicate(source.id, business.owner);

    assert.deepEqual([res.status, res.body.error], [404, 'Cliente no encontrado']);
  });
});
