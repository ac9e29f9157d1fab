import assert from 'node:assert/strict';
import * as build from './build.ts';
import { type Credential, type Service, service } from './service.ts';
import { auditOf, eventsOf } from './stored.ts';

describe('/api/products', () => {
  let app: Service;
  before(async () => {
    app = await service();
  });

  const create = (as: Credential, body: object = {}) =>
    app.post('/api/products', { name: 'Silla', unitPrice: 1234.5, ...body }, as);
  const remove = (id: string, as: Credential) => app.request('DELETE', `/api/products/${id}`, { headers: as });

  async function product(as: Credential, body: object = {}): Promise<{ id: string }> {
    const res = await create(as, body);
    assert.equal(res.status, 201);
    return res.body;
  }

  describe('POST', () => {
    it('answers 201 with the price as a number, in the currency of the business', async () => {
      const business = await build.business();

      const res = await create(business.owner, { modelSku: 'SE-200', description: 'Malla', unitPrice: 0.125 });

      assert.equal(res.status, 201);
      const { id, createdAt, updatedAt, ...rest } = res.body;
      assert.deepEqual(rest, {
        name: 'Silla',
        modelSku: 'SE-200',
        description: 'Malla',
        unitPrice: 0.125,
        currency: 'MXN',
        unit: null,
        taxes: null,
        isActive: true,
      });
      assert.deepEqual([createdAt, id.length], [updatedAt, 25]);
    });

    it('writes one audit entry «create» and one event product.created', async () => {
      const business = await build.business();

      const { id } = await product(business.owner);

      const [entry] = await auditOf(business, id);
      assert.deepEqual([entry?.action, entry?.entity], ['create', 'product']);
      const events = await eventsOf(business);
      assert.deepEqual(
        events.map(({ type, body }) => [type, body.data]),
        [
          [
            'product.created',
            { product: { id, name: 'Silla', modelSku: null, description: null, unitPrice: 1234.5, currency: 'MXN' } },
          ],
        ],
      );
    });

    it('stores unit and taxes, and audits them', async () => {
      const business = await build.business();

      const { body } = await create(business.owner, { unit: 'm²', taxes: ['IVA16', 'RET_IVA'] });

      assert.deepEqual([body.unit, body.taxes], ['m²', ['IVA16', 'RET_IVA']]);
      const [entry] = await auditOf(business, body.id);
      assert.deepEqual(entry?.metadata, {
        name: 'Silla',
        modelSku: null,
        unitPrice: '1234.50',
        currency: 'MXN',
        unit: 'm²',
        taxes: ['IVA16', 'RET_IVA'],
      });
    });

    it('distinguishes no taxes [] from the default tax', async () => {
      const { owner } = await build.business();
      const { id } = await product(owner, { taxes: [] });

      assert.deepEqual((await app.get(`/api/products/${id}`, owner)).body.taxes, []);
    });

    for (const [name, taxes, error] of [
      ['an unknown code', ['IVA16', 'IVA99'], 'taxes.1: el impuesto «IVA99» no existe'],
      ['the reserved code', ['DEFAULT'], 'taxes.0: el impuesto «DEFAULT» no existe'],
      ['a repeated code', ['IVA16', 'IVA16'], 'taxes.1: está repetido'],
      [
        'an exempt code beside another',
        ['EXENTO', 'RET_IVA'],
        'taxes: un impuesto exento no puede llevar otros a su lado',
      ],
      ['a sixth code', ['A', 'B', 'C', 'D', 'E', 'F'], 'taxes: debe tener como máximo 5 elementos'],
    ] as const) {
      it(`answers 400 «${error}» to ${name}, also PATCH`, async () => {
        const { owner } = await build.business();
        const { id } = await product(owner);

        const created = await create(owner, { taxes });
        const changed = await app.patch(`/api/products/${id}`, { taxes }, owner);

        assert.deepEqual([created.status, created.body.error], [400, error]);
        assert.deepEqual([changed.status, changed.body.error], [400, error]);
      });
    }

    it('answers 400 «unit: debe tener como máximo 20 caracteres» to a unit of 21', async () => {
      const res = await create((await build.business()).owner, { unit: 'x'.repeat(21) });

      assert.deepEqual([res.status, res.body.error], [400, 'unit: debe tener como máximo 20 caracteres']);
    });

    it('accepts a price of 0', async () => {
      assert.equal((await create((await build.business()).owner, { unitPrice: 0 })).body.unitPrice, 0);
    });

    it('answers 403 «Función disponible en el plan Pro» to another currency on FREE', async () => {
      const res = await create((await build.business({ plan: 'FREE' })).owner, { currency: 'USD' });

      assert.deepEqual([res.status, res.body.error], [403, 'Función disponible en el plan Pro']);
    });
  });

  describe('GET', () => {
    it('lists newest first with prices as decimal strings, also to collaborators', async () => {
      const business = await build.business();
      await product(business.owner, { name: 'Silla', unitPrice: 10 });
      await product(business.owner, { name: 'Mesa', unitPrice: 0.125, unit: 'pza', taxes: ['IVA8'] });
      const { as } = await build.member(business);

      const res = await app.get('/api/products?limit=1', as);

      assert.equal(res.status, 200);
      const { data, ...rest } = res.body;
      assert.deepEqual([data.length, data[0].name, data[0].unitPrice], [1, 'Mesa', '0.125']);
      assert.deepEqual([data[0].unit, data[0].taxes], ['pza', ['IVA8']]);
      assert.match(rest.nextCursor, /^[\w-]+$/);
      assert.deepEqual([rest.total, rest.page, rest.totalPages], [2, 1, 2]);
    });

    it('searches name, model and description without case and accents, with literal wildcards', async () => {
      const { owner } = await build.business();
      await product(owner, { name: 'Sillón 100%', modelSku: 'AB-1', description: 'Piel' });
      await product(owner, { name: 'Sillon 100', modelSku: 'CD-2', description: 'Tela' });

      const found = async (search: string) =>
        (await app.get(`/api/products?search=${encodeURIComponent(search)}`, owner)).body.total;

      assert.deepEqual(
        [await found('SILLÓN'), await found('100%'), await found('cd-'), await found('piel')],
        [2, 1, 1, 1],
      );
    });

    it('filters by active', async () => {
      const { owner } = await build.business();
      const { id } = await product(owner, { name: 'Vieja' });
      await product(owner, { name: 'Nueva' });
      await remove(id, owner);

      const names = async (active: boolean) =>
        (await app.get(`/api/products?active=${active}`, owner)).body.data.map(({ name }: { name: string }) => name);

      assert.deepEqual([await names(true), await names(false)], [['Nueva'], ['Vieja']]);
    });
  });

  describe('GET /:id', () => {
    it('answers 200 with the record of active and deactivated products', async () => {
      const { owner } = await build.business();
      const { id } = await product(owner);
      await remove(id, owner);

      const res = await app.get(`/api/products/${id}`, owner);

      assert.deepEqual([res.status, res.body.unitPrice, res.body.isActive], [200, '1234.50', false]);
    });
  });

  describe('PATCH /:id', () => {
    it('answers 200 with the price as a string and audits before and after', async () => {
      const business = await build.business();
      const { id } = await product(business.owner);

      const res = await app.patch(`/api/products/${id}`, { unitPrice: 99, modelSku: 'X' }, business.owner);

      assert.deepEqual([res.status, res.body.unitPrice, res.body.modelSku], [200, '99.00', 'X']);
      const [, entry] = await auditOf(business, id);
      assert.deepEqual(entry?.metadata, {
        before: { modelSku: null, unitPrice: '1234.50' },
        after: { modelSku: 'X', unitPrice: '99.00' },
      });
    });

    it('changes and clears unit and taxes, and audits before and after', async () => {
      const business = await build.business();
      const { id } = await product(business.owner, { unit: 'm²', taxes: ['IVA16'] });

      const changed = await app.patch(
        `/api/products/${id}`,
        { unit: 'kg', taxes: ['IVA8', 'RET_IVA'] },
        business.owner,
      );
      const kept = await app.patch(`/api/products/${id}`, { name: 'Silla' }, business.owner);
      const cleared = await app.patch(`/api/products/${id}`, { unit: '', taxes: null }, business.owner);

      assert.deepEqual([changed.body.unit, changed.body.taxes], ['kg', ['IVA8', 'RET_IVA']]);
      assert.deepEqual([kept.body.unit, kept.body.taxes], ['kg', ['IVA8', 'RET_IVA']]);
      assert.deepEqual([cleared.body.unit, cleared.body.taxes], [null, null]);
      const [, first, second] = await auditOf(business, id);
      assert.deepEqual(first?.metadata, {
        before: { unit: 'm²', taxes: ['IVA16'] },
        after: { unit: 'kg', taxes: ['IVA8', 'RET_IVA'] },
      });
      assert.deepEqual(second?.metadata, {
        before: { unit: 'kg', taxes: ['IVA8', 'RET_IVA'] },
        after: { unit: null, taxes: null },
      });
    });

    it('does not check stored codes again when other members change', async () => {
      const business = await build.business();
      const { id } = await product(business.owner, { taxes: ['IVA16'] });
      await build.patchTenant(business, { taxes: '[]' });

      const res = await app.patch(`/api/products/${id}`, { name: 'Mesa' }, business.owner);

      assert.deepEqual([res.status, res.body.taxes], [200, ['IVA16']]);
    });

    it('a body without differences writes no audit entry', async () => {
      const business = await build.business();
      const { id } = await product(business.owner);

      const res = await app.patch(`/api/products/${id}`, { unitPrice: 1234.5, name: 'Silla' }, business.owner);

      assert.deepEqual([res.status, (await auditOf(business, id)).length], [200, 1]);
    });

    it('does not change prices of quoted lines', async () => {
      const { owner } = await build.business();
      const { id } = await product(owner);
      const items = [{ productId: id, productName: 'Silla', unitPrice: 1234.5, quantity: 1 }];
      const quote = await build.quote(owner, { items });

      await app.patch(`/api/products/${id}`, { unitPrice: 1 }, owner);

      assert.equal((await app.get(`/api/quotes/${quote.id}`, owner)).body.items[0].unitPrice, '1234.50');
    });
  });

  describe('DELETE /:id', () => {
    it('answers 200 {ok: true} twice and writes one audit entry «delete»', async () => {
      const business = await build.business();
      const { id } = await product(business.owner);

      const responses = [await remove(id, business.owner), await remove(id, business.owner)];

      assert.deepEqual(
        responses.map(({ status, body }) => [status, body]),
        [
          [200, { ok: true }],
          [200, { ok: true }],
        ],
      );
      const actions = (await auditOf(business, id)).map(({ action }) => action);
      assert.deepEqual(actions, ['create', 'delete']);
    });
  });
});
