import assert from 'node:assert/strict';
import { newId } from '../../db/ids.ts';
import { Client } from '../../db/models/client.ts';
import * as build from './build.ts';
import { type Response, type Service, service } from './service.ts';
import { rowCounts } from './stored.ts';

describe('Refusals of POST /api/quotes', () => {
  let app: Service;
  let business: build.Business;
  let clientId: string;
  before(async () => {
    app = await service();
    business = await build.business();
    clientId = (await build.client(business.owner)).id;
  });

  /** Sends a quote and checks that nothing was written and no number was consumed. */
  async function refused(body: unknown, by = business): Promise<Response> {
    const before = await rowCounts(by);
    const res = await app.post('/api/quotes', body, by.owner);
    assert.deepEqual(await rowCounts(by), before);
    return res;
  }
  const withFields = (fields: Record<string, unknown>) => ({ clientId, items: [build.ITEM], ...fields });
  const withLine = (fields: Record<string, unknown>) => withFields({ items: [{ ...build.ITEM, ...fields }] });

  describe('invalid bodies: 400, and nothing is stored', () => {
    const cases: readonly [what: string, message: string, body: () => unknown][] = [
      ['no clientId', 'clientId: es obligatorio', () => ({ items: [build.ITEM] })],
      ['a numeric clientId', 'clientId: debe ser texto', () => withFields({ clientId: 7 })],
      ['no items', 'items: es obligatorio', () => ({ clientId })],
      ['empty items', 'items: debe tener al menos un elemento', () => withFields({ items: [] })],
      ['items that are not a list', 'items: debe ser una lista', () => withFields({ items: { 0: build.ITEM } })],
      [
        '1 001 items',
        'items: debe tener como máximo 1000 elementos',
        () => withFields({ items: Array.from({ length: 1001 }, () => build.ITEM) }),
      ],
      [
        '200 001 letters in all lines',
        'items: debe tener como máximo 200000 caracteres de texto en total',
        () =>
          withFields({
            items: [
              ...Array.from({ length: 100 }, () => ({ ...build.ITEM, productName: 'ñ'.repeat(2_000), model: null })),
              { ...build.ITEM, productName: 'x', model: null },
            ],
          }),
      ],
      ['a null item', 'items.0: debe ser un objeto', () => withFields({ items: [null] })],
      ['an item without a name', 'items.0.productName: es obligatorio', () => withLine({ productName: undefined })],
      ['a name of spaces', 'items.0.productName: no puede estar vacío', () => withLine({ productName: ' \t ' })],
      ['a price as text', 'items.0.unitPrice: debe ser un número', () => withLine({ unitPrice: '100' })],
      ['a price of null', 'items.0.unitPrice: debe ser un número', () => withLine({ unitPrice: null })],
      ['a negative price', 'items.0.unitPrice: debe ser mayor o igual que 0', () => withLine({ unitPrice: -0.01 })],
      [
        'a price of seven decimals',
        'items.0.unitPrice: debe tener como máximo 6 decimales',
        () => withLine({ unitPrice: 0.0000001 }),
      ],
      [
        'a price of a thousand million',
        'items.0.unitPrice: debe ser menor que 1000000000',
        () => withLine({ unitPrice: 1e9 }),
      ],
      ['a quantity of 0', 'items.0.quantity: debe ser mayor o igual que 1', () => withLine({ quantity: 0 })],
      ['a quantity of 1.5', 'items.0.quantity: debe ser un número entero', () => withLine({ quantity: 1.5 })],
      [
        'a quantity of 10¹⁴',
        'items.0.quantity: debe ser menor o igual que 1000000',
        () => withLine({ quantity: 1e14 }),
      ],
      [
        'a discount of 101 %',
        'items.0.discountPct: debe ser menor o igual que 100',
        () => withLine({ discountPct: 101 }),
      ],
      ['a negative discount', 'items.0.discountPct: debe ser mayor o igual que 0', () => withLine({ discountPct: -1 })],
      [
        'a discount of five decimals',
        'items.0.discountPct: debe tener como máximo 4 decimales',
        () => withLine({ discountPct: 0.00001 }),
      ],
      ['negative shipping', 'shippingCost: debe ser mayor o igual que 0', () => withFields({ shippingCost: -1 })],
      [
        'shipping of three decimals',
        'shippingCost: debe tener como máximo 2 decimales',
        () => withFields({ shippingCost: 1.005 }),
      ],
      [
        'a line whose amount is too large',
        'items: el total debe ser menor o igual que 9999999999.99',
        () => withLine({ unitPrice: 999_999_999, quantity: 1_000_000 }),
      ],
      [
        'a total that is too large with tax and shipping',
        'items: el total debe ser menor o igual que 9999999999.99',
        () => withLine({ unitPrice: 999_999_999, quantity: 9 }),
      ],
      [
        'notes of 301 characters',
        'notes: debe tener como máximo 300 caracteres',
        () => withFields({ notes: 'x'.repeat(301) }),
      ],
      ['numeric notes', 'notes: debe ser texto o nulo', () => withFields({ notes: 12 })],
      [
        'U+0000 in notes',
        'notes: contiene caracteres no permitidos',
        () => withFields({ notes: 'a\u0000b' }),
      ],
      [
        'U+0000 in a product name',
        'items.0.productName: contiene caracteres no permitidos',
        () => withLine({ productName: 'Silla\u0000' }),
      ],
      ['a body that is a list', 'debe ser un objeto', () => [withFields({})]],
    ]; // prettier-ignore

    for (const [what, message, body] of cases) {
      it(`answers 400 «${message}» to ${what}`, async () => {
        const res = await refused(body());

        assert.equal(res.status, 400);
        assert.equal(res.body.error, message);
        assert.equal(res.body.code, 'invalid');
      });
    }

    it('answers 400 «items.0.unitPrice: debe ser un número» to 1e400, which JSON.parse reads as Infinity', async () => {
      const body = JSON.stringify(withLine({ unitPrice: 12345 })).replace('12345', '1e400');

      const res = await refused(body);

      assert.equal(res.status, 400);
      assert.equal(res.body.error, 'items.0.unitPrice: debe ser un número');
    });

    it('lists every invalid member in details and the first in error', async () => {
      const res = await refused({ clientId, items: [{ productName: '', unitPrice: -1, quantity: 0 }] });

      assert.equal(res.body.error, `${res.body.details[0].path}: ${res.body.details[0].message}`);
      const paths = res.body.details.map(({ path }: { path: string }) => path);
      assert.deepEqual(paths.toSorted(), ['items.0.productName', 'items.0.quantity', 'items.0.unitPrice']);
    });

    it('lists at most twenty invalid members', async () => {
      const items = Array.from({ length: 500 }, () => ({ productName: '' }));

      const res = await refused({ clientId, items });

      assert.equal(res.body.details.length, 20);
    });
  });

  describe('missing records: 404, and nothing is stored', () => {
    it('answers 404 «Cliente no encontrado» to an unknown id', async () => {
      const res = await refused(withFields({ clientId: newId() }));

      assert.equal(res.status, 404);
      assert.deepEqual([res.body.error, res.body.code], ['Cliente no encontrado', 'not_found']);
    });

    it('answers the same 404 to a client of another business', async () => {
      const other = await build.business();
      const foreign = await build.client(other.owner);

      const res = await refused(withFields({ clientId: foreign.id }));

      assert.deepEqual([res.status, res.body.error], [404, 'Cliente no encontrado']);
    });

    it('answers the same 404 to an inactive client', async () => {
      const { tenantId } = business;
      const { id } = await build.client(business.owner);
      await app.deps.withTenant(tenantId, (trx) =>
        Client.query(trx).findOne({ tenantId, id }).patch({ isActive: false }),
      );

      const res = await refused(withFields({ clientId: id }));

      assert.deepEqual([res.status, res.body.error], [404, 'Cliente no encontrado']);
    });

    it('answers the same 404 to a malformed id', async () => {
      const res = await refused(withFields({ clientId: "' or true --" }));

      assert.deepEqual([res.status, res.body.error], [404, 'Cliente no encontrado']);
    });

    it('answers 404 «Producto no encontrado» to a product of another business', async () => {
      const foreign = await build.product(await build.business());

      const res = await refused(withLine({ productId: foreign.id }));

      assert.deepEqual([res.status, res.body.error], [404, 'Producto no encontrado']);
    });

    it('answers the same 404 to an unknown product in one of several lines', async () => {
      const known = await build.product(business);
      const items = [known.id, newId()].map((productId) => ({ ...build.ITEM, productId }));

      const res = await refused(withFields({ items }));

      assert.deepEqual([res.status, res.body.error], [404, 'Producto no encontrado']);
    });
  });

  describe('order of checks', () => {
    it('an invalid body answers 400 before the 403 of the plan', async () => {
      const free = await build.business({ plan: 'FREE' });

      const res = await refused({ currency: 'USD', items: [], clientId }, free);

      assert.equal(res.status, 400);
    });

    it('the 403 of the plan comes before the 404 of the client', async () => {
      const free = await build.business({ plan: 'FREE' });

      const res = await refused({ currency: 'USD', items: [build.ITEM], clientId: newId() }, free);

      assert.equal(res.status, 403);
    });

    it('an invalid body answers 400 before the 404 of the client', async () => {
      const res = await refused({ clientId: newId(), items: [] });

      assert.equal(res.status, 400);
    });
  });
});
