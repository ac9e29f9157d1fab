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
      await product(business.owner, { name: 'Mesa', unitPrice: 0.125 });
      const { as } = await build.member(business);

      const res = await app.get('/api/products?limit=1', as);

      assert.equal(res.status, 200);
      const { data, ...rest } = res.body;
      assert.deepEqual([data.length, data[0].name, data[0].unitPrice], [1, 'Mesa', '0.125']);
      assert.deepEqual(rest, { total: 2, page: 1, totalPages: 2 });
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
