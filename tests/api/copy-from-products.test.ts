import assert from 'node:assert/strict';
import * as build from './build.ts';
import { type Service, service } from './service.ts';

describe('copyFromProducts', () => {
  let app: Service;
  before(async () => {
    app = await service();
  });

  const OWN = { unit: 'm²', taxes: 'IVA8,RET_IVA', description: 'Malla' };
  const COPIED = ['m²', ['IVA8', 'RET_IVA'], 'Malla'];
  const NOTHING = [null, null, null];

  interface Line {
    readonly unit: string | null;
    readonly taxes: readonly string[] | null;
    readonly description: string | null;
  }
  const copiedOf = ({ items }: { items: readonly Line[] }) =>
    items.map(({ unit, taxes, description }) => [unit, taxes, description]);
  const line = (productId: string, fields: object = {}) => ({ ...build.ITEM, productId, ...fields });

  async function world() {
    const business = await build.business();
    const client = await build.client(business.owner);
    const { id: productId } = await build.product(business, OWN);
    return { business, owner: business.owner, clientId: client.id, productId };
  }

  describe('POST /api/quotes', () => {
    it('copies unit, taxes and description to linked lines only, and computes with the taxes', async () => {
      const { owner, clientId, productId } = await world();
      const items = [line(productId), build.ITEM];

      const { status, body } = await app.post('/api/quotes', { clientId, items, copyFromProducts: true }, owner);

      assert.deepEqual([status, copiedOf(body)], [201, [COPIED, NOTHING]]);
      assert.deepEqual(
        body.taxes.map(({ code, base }: { code: string; base: number }) => [code, base]),
        [
          ['IVA8', 200],
          ['RET_IVA', 200],
          ['DEFAULT', 200],
        ],
      );
      assert.deepEqual(copiedOf((await app.get(`/api/quotes/${body.id}`, owner)).body), [COPIED, NOTHING]);
    });

    it('copies nothing when it is absent or false', async () => {
      const { owner, clientId, productId } = await world();
      const items = [line(productId)];

      const absent = await app.post('/api/quotes', { clientId, items }, owner);
      const off = await app.post('/api/quotes', { clientId, items, copyFromProducts: false }, owner);

      assert.deepEqual([absent.status, copiedOf(absent.body)], [201, [NOTHING]]);
      assert.deepEqual([off.status, copiedOf(off.body)], [201, [NOTHING]]);
    });

    it('members that the line gives win, also null, "" and []', async () => {
      const { owner, clientId, productId } = await world();
      const items = [
        line(productId, { unit: 'kg', taxes: ['IVA16'], description: 'Tela' }),
        line(productId, { unit: null, taxes: null, description: null }),
        line(productId, { unit: '', taxes: [], description: '' }),
        line(productId, { description: 'Tela' }),
      ];

      const { body } = await app.post('/api/quotes', { clientId, items, copyFromProducts: true }, owner);

      assert.deepEqual(copiedOf(body), [
        ['kg', ['IVA16'], 'Tela'],
        NOTHING,
        [null, [], null],
        ['m²', ['IVA8', 'RET_IVA'], 'Tela'],
      ]);
    });

    it('copies nothing from a product without them', async () => {
      const { business, owner, clientId } = await world();
      const { id } = await build.product(business);

      const { body } = await app.post('/api/quotes', { clientId, items: [line(id)], copyFromProducts: true }, owner);

      assert.deepEqual(copiedOf(body), [NOTHING]);
    });

    it('a decimal quantity needs the unit in the line itself', async () => {
      const { owner, clientId, productId } = await world();
      const items = [line(productId, { quantity: 1.5 })];

      const { status, body } = await app.post('/api/quotes', { clientId, items, copyFromProducts: true }, owner);

      assert.deepEqual([status, body.error], [400, 'items.0.quantity: debe ser un número entero']);
    });

    it('answers 400 «el impuesto «IVA8» no existe» when the code was deleted from the table', async () => {
      const { business, owner, clientId, productId } = await world();
      await build.patchTenant(business, { taxes: '[]' });

      const { status, body } = await app.post(
        '/api/quotes',
        { clientId, items: [build.ITEM, line(productId)], copyFromProducts: true },
        owner,
      );

      assert.deepEqual([status, body.error], [400, 'items.1.taxes.0: el impuesto «IVA8» no existe']);
    });

    it('answers 404 «Producto no encontrado» to a foreign product, and copies nothing from it', async () => {
      const { owner, clientId } = await world();
      const { productId: foreign } = await world();

      const { status, body } = await app.post(
        '/api/quotes',
        { clientId, items: [line(foreign)], copyFromProducts: true },
        owner,
      );

      assert.deepEqual([status, body.error], [404, 'Producto no encontrado']);
    });

    it('answers 400 when the copied descriptions exceed the text of a quote', async () => {
      const { business, owner, clientId } = await world();
      const { id } = await build.product(business, { description: 'ñ'.repeat(2_000) });
      const items = Array.from({ length: 101 }, () => line(id));

      const copied = await app.post('/api/quotes', { clientId, items, copyFromProducts: true }, owner);
      const plain = await app.post('/api/quotes', { clientId, items }, owner);

      const error = 'items: debe tener como máximo 200000 caracteres de texto en total';
      assert.deepEqual([copied.status, copied.body.error, plain.status], [400, error, 201]);
    });
  });

  describe('POST /api/quotes/:id/revise', () => {
    it('copies to linked lines as in POST, and only when asked', async () => {
      const { owner, clientId, productId } = await world();
      const { id } = await build.quote(owner, { clientId });
      const items = [line(productId), line(productId, { unit: 'kg' }), build.ITEM];
      const revise = (fields: object) => app.post(`/api/quotes/${id}/revise`, { clientId, items, ...fields }, owner);

      const plain = await revise({});
      const copied = await revise({ copyFromProducts: true });

      assert.deepEqual([plain.status, copiedOf(plain.body)[0]], [200, NOTHING]);
      assert.deepEqual([copied.status, copiedOf(copied.body)], [200, [COPIED, ['kg', ...COPIED.slice(1)], NOTHING]]);
    });

    it('answers 404 «Producto no encontrado» to a foreign product', async () => {
      const { owner, clientId } = await world();
      const { productId: foreign } = await world();
      const { id } = await build.quote(owner, { clientId });

      const { status, body } = await app.post(
        `/api/quotes/${id}/revise`,
        { clientId, items: [line(foreign)], copyFromProducts: true },
        owner,
      );

      assert.deepEqual([status, body.error], [404, 'Producto no encontrado']);
    });
  });

  describe('templates', () => {
    const template = (items: object[], fields: object = {}) => ({ name: 'Oficina', items, ...fields });

    it('copy when they are created or changed with it', async () => {
      const { owner, productId } = await world();
      const items = [line(productId), build.ITEM];

      const created = await app.post('/api/templates', template(items, { copyFromProducts: true }), owner);
      const plain = await app.post('/api/templates', template(items), owner);
      const changed = await app.patch(`/api/templates/${plain.body.id}`, { items, copyFromProducts: true }, owner);

      assert.deepEqual([created.status, copiedOf(created.body)], [201, [COPIED, NOTHING]]);
      assert.deepEqual(copiedOf(plain.body), [NOTHING, NOTHING]);
      assert.deepEqual([changed.status, copiedOf(changed.body)], [200, [COPIED, NOTHING]]);
    });

    it('copy when a quote is created from them with it; what the template line gives wins', async () => {
      const { owner, clientId, productId } = await world();
      const items = [line(productId, { unit: 'kg' }), line(productId, { taxes: [] }), build.ITEM];
      const { body } = await app.post('/api/templates', template(items), owner);
      const use = (fields: object) =>
        app.post('/api/connector/actions/create-from-template', { templateId: body.id, clientId, ...fields }, owner);

      const plain = await use({});
      const copied = await use({ copyFromProducts: true });

      assert.deepEqual([plain.status, copiedOf(plain.body)], [201, [['kg', null, null], [null, [], null], NOTHING]]);
      assert.deepEqual(copiedOf(copied.body), [['kg', ...COPIED.slice(1)], ['m²', [], 'Malla'], NOTHING]);
    });
  });
});
