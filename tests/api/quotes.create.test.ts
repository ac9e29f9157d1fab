import assert from 'node:assert/strict';
import { hashToken } from '../../adapters/crypto/tokens.ts';
import { expiryAfter } from '../../domain/expiry.ts';
import * as build from './build.ts';
import { type Service, service } from './service.ts';
import { auditOf, eventsOf, storedQuote } from './stored.ts';

const DAY_MS = 24 * 3600 * 1000;

describe('POST /api/quotes', () => {
  let app: Service;
  before(async () => {
    app = await service();
  });

  async function create(business: build.Business, fields: Record<string, unknown> = {}) {
    const { id: clientId } = await build.client(business.owner);
    return app.post('/api/quotes', { clientId, items: [build.ITEM], ...fields }, business.owner);
  }

  it('answers 201 with number 1, GENERATED, numbers for money and a public token', async () => {
    const res = await create(await build.business(), { shippingCost: 50 });

    assert.equal(res.status, 201);
    const { quoteNumber, status, version, subtotal, tax, shippingCost, total } = res.body;
    assert.deepEqual(
      { quoteNumber, status, version, subtotal, tax, shippingCost, total },
      { quoteNumber: 1, status: 'GENERATED', version: 1, subtotal: 200, tax: 32, shippingCost: 50, total: 282 },
    );
    assert.match(res.body.publicToken, /^[\w-]{43}$/);
  });

  it('answers the client and the lines in the order of the body', async () => {
    const business = await build.business();
    const client = await build.client(business.owner, { contactName: 'Laura', companyName: 'La Palma', phone: '55' });
    const items = [
      { productName: 'Silla', model: 'S-1', unitPrice: 10.5, quantity: 3, discountPct: 12.5 },
      { productName: 'Mesa', unitPrice: 99, quantity: 1 },
    ];

    const res = await create(business, { clientId: client.id, items });

    const { id, contactName, companyName, phone } = res.body.client;
    assert.deepEqual([id, contactName, companyName, phone], [client.id, 'Laura', 'La Palma', '55']);
    const lines = res.body.items.map((line: object) => ({ ...line, id: undefined }));
    const unlinked = { id: undefined, productId: null, product: null, ...build.ADDED_TO_ITEM };
    assert.deepEqual(lines, [
      { ...unlinked, productName: 'Silla', model: 'S-1', unitPrice: 10.5, quantity: 3, discountPct: 12.5, subtotal: 27.56 },
      { ...unlinked, productName: 'Mesa', model: null, unitPrice: 99, quantity: 1, discountPct: 0, subtotal: 99 },
    ]); // prettier-ignore
  });

  it('links a line to a product and stores the line’s own name and price', async () => {
    const business = await build.business();
    const { id: productId } = await build.product(business, { name: 'Escritorio', modelSku: 'ES-1' });

    const res = await create(business, { items: [{ ...build.ITEM, productId }] });

    const [line] = res.body.items;
    assert.deepEqual(line.product, { id: productId, name: 'Escritorio', modelSku: 'ES-1' });
    assert.deepEqual([line.productName, line.unitPrice], ['Silla', 100]);
  });

  it('accepts 1 000 lines', async () => {
    const items = Array.from({ length: 1000 }, () => build.ITEM);

    const res = await create(await build.business(), { items });

    assert.equal(res.status, 201);
    assert.deepEqual([res.body.items.length, res.body.subtotal], [1000, 200_000]);
  });

  it('answers 201 to a collaborator, who becomes the creator', async () => {
    const business = await build.business();
    const { as, userId } = await build.member(business);

    const { id } = await build.quote(as);

    assert.equal((await storedQuote(business, id)).userId, userId);
  });

  it('stores the token’s hash and an encrypted copy, never the token', async () => {
    const business = await build.business();

    const { id, publicToken } = (await create(business)).body;

    const stored = await storedQuote(business, id);
    assert.equal(stored.publicTokenHash, hashToken(publicToken));
    assert.equal(app.deps.secrets.open(stored.publicTokenSealed, { purpose: 'public_token', rowId: id }), publicToken);
    assert.ok(!JSON.stringify(stored).includes(publicToken));
  });

  it('writes one audit entry «create» and one event quote.created, neither with the token', async () => {
    const business = await build.business();

    const res = await create(business, { notes: 'Entrega en obra' });

    const { id, publicToken, client } = res.body;
    const requestId = res.headers.get('X-Request-Id');
    const audit = await auditOf(business, id);
    const metadata = { quoteNumber: 1, total: '232.00', currency: 'MXN', clientId: client.id };
    const actor = { actor: 'user', userId: business.userId, entity: 'quote', requestId };
    assert.deepEqual(audit, [{ action: 'create', ...actor, metadata }]);
    const events = await eventsOf(business, id);
    assert.deepEqual(
      events.map(({ type }) => type),
      ['quote.created'],
    );
    assert.deepEqual(events[0]?.body.data, {
      quote: {
        id,
        quoteNumber: 1,
        status: 'GENERATED',
        total: 232,
        subtotal: 200,
        currency: 'MXN',
        notes: 'Entrega en obra',
        client: { id: client.id, contactName: 'Laura Méndez', companyName: 'La Palma', email: client.email },
        answer: null,
        tax: 32,
        shippingCost: 0,
        version: 1,
        expiresAt: res.body.expiresAt,
        displayNumber: 'COT-1',
        reference: null,
        metadata: {},
        items: [
          { productName: 'Silla', model: null, unitPrice: 100, quantity: 2, discountPct: 0, ...build.ADDED_TO_ITEM },
        ],
      },
    });
    assert.ok(!JSON.stringify([audit, events]).includes(publicToken));
  });

  describe('notes', () => {
    it('absent notes are the default notes of the business', async () => {
      const res = await create(await build.business({ defaultNotes: 'Precios más IVA' }));

      assert.equal(res.body.notes, 'Precios más IVA');
    });

    it('notes "" stay empty', async () => {
      const res = await create(await build.business({ defaultNotes: 'Precios más IVA' }), { notes: '' });

      assert.equal(res.body.notes, '');
    });

    it('notes may have 300 characters, where an emoji counts as one', async () => {
      const notes = '🪑'.repeat(300);

      const res = await create(await build.business(), { notes });

      assert.equal(res.status, 201);
      assert.equal(res.body.notes, notes);
    });

    it('markup in notes is stored unchanged', async () => {
      const notes = '<img src=x onerror=alert(1)><b>x</b>';

      const res = await create(await build.business(), { notes });

      assert.equal(res.body.notes, notes);
    });
  });

  describe('expiresAt', () => {
    it('an absent expiresAt is the end of the last day of the business’s validity', async () => {
      const timeZone = 'America/Mexico_City';
      const res = await create(await build.business({ quoteValidityDays: 7, timeZone }));

      const { createdAt, expiresAt, isExpired } = res.body;
      assert.equal(expiresAt, expiryAfter(new Date(createdAt), 7, timeZone).toISOString());
      assert.equal(isExpired, false);
    });

    it('expiresAt may have any UTC offset', async () => {
      const moment = new Date(Date.now() + 30 * DAY_MS);
      moment.setUTCHours(18, 0, 0, 0);
      const inMexico = moment.toISOString().replace('T18:00:00.000Z', 'T12:00:00-06:00');

      const res = await create(await build.business(), { expiresAt: inMexico });

      assert.equal(res.body.expiresAt, moment.toISOString());
    });

    it('answers 400 «expiresAt: debe estar en el futuro» to a past time', async () => {
      const res = await create(await build.business(), { expiresAt: new Date(Date.now() - 1_000).toISOString() });

      assert.equal(res.status, 400);
      assert.equal(res.body.error, 'expiresAt: debe estar en el futuro');
    });

    it('answers 400 «expiresAt: debe estar a lo más a 365 días» beyond a year', async () => {
      const expiresAt = new Date(Date.now() + 366 * DAY_MS).toISOString();

      const res = await create(await build.business(), { expiresAt });

      assert.equal(res.status, 400);
      assert.equal(res.body.error, 'expiresAt: debe estar a lo más a 365 días');
    });

    it('answers 400 «expiresAt: debe ser una fecha y hora ISO 8601» to a date without time', async () => {
      const res = await create(await build.business(), { expiresAt: '2030-01-01' });

      assert.equal(res.status, 400);
      assert.equal(res.body.error, 'expiresAt: debe ser una fecha y hora ISO 8601');
    });
  });

  describe('currency', () => {
    it('an absent currency is that of the business', async () => {
      const res = await create(await build.business({ currency: 'USD' }));

      assert.equal(res.body.currency, 'USD');
    });

    it('another currency is accepted on PRO', async () => {
      const res = await create(await build.business({ plan: 'PRO' }), { currency: 'USD' });

      assert.deepEqual([res.status, res.body.currency], [201, 'USD']);
    });

    it('the own currency is accepted on FREE', async () => {
      const res = await create(await build.business({ plan: 'FREE' }), { currency: 'MXN' });

      assert.equal(res.status, 201);
    });

    it('answers 403 «Función disponible en el plan Pro» to another currency on FREE', async () => {
      const res = await create(await build.business({ plan: 'FREE' }), { currency: 'USD' });

      assert.equal(res.status, 403);
      assert.deepEqual([res.body.error, res.body.code], ['Función disponible en el plan Pro', 'plan_required']);
    });

    it('answers 400 «currency: debe ser un código ISO 4217» to three other letters', async () => {
      const res = await create(await build.business(), { currency: 'XXQ' });

      assert.equal(res.status, 400);
      assert.equal(res.body.error, 'currency: debe ser un código ISO 4217');
    });
  });
});
