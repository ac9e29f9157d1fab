import assert from 'node:assert/strict';
import { newId } from '../../db/ids.ts';
import * as build from './build.ts';
import { type Credential, type Service, service } from './service.ts';
import { auditOf } from './stored.ts';

const ITEM = { productName: 'Silla', unitPrice: 0.125, quantity: 2, discountPct: 10 };
const { counts: _counts, ...ADDED } = build.ADDED_TO_ITEM;
const STORED_ITEM = { productId: null, model: null, ...ITEM, ...ADDED };
const NO_DOCUMENT = {
  title: null,
  terms: null,
  internalNotes: null,
  discountPct: 0,
  shippingTaxes: null,
  deposit: null,
};

describe('/api/templates', () => {
  let app: Service;
  before(async () => {
    app = await service();
  });

  const create = async (as: Credential, body: Record<string, unknown> = {}) => {
    const res = await app.post('/api/templates', { name: 'Oficina', items: [ITEM], ...body }, as);
    assert.equal(res.status, 201, JSON.stringify(res.body));
    return res.body as { id: string; updatedAt: string };
  };
  const remove = (id: string, as: Credential) => app.request('DELETE', `/api/templates/${id}`, { headers: as });

  describe('POST', () => {
    it('ignores tenantId, id, isActive and creator in the body', async () => {
      const { owner, tenantId } = await build.business();

      const res = await app.post(
        '/api/templates',
        { name: 'x', items: [ITEM], tenantId: newId(), id: 'mio', isActive: false, creator: { name: 'Otra' } },
        owner,
      );

      assert.deepEqual([res.body.tenantId, res.body.isActive, res.body.creator.name], [tenantId, true, 'Diana']);
      assert.notEqual(res.body.id, 'mio');
    });

    it('answers 201 with the whole template, money as numbers', async () => {
      const { owner, tenantId } = await build.business();
      const fields = {
        name: 'Oficina',
        description: 'Un puesto',
        notes: 'Línea 1\nLínea 2',
        shippingCost: 99.9,
        currency: 'USD',
      };

      const res = await app.post('/api/templates', { ...fields, items: [{ ...ITEM, model: 'SE-200' }] }, owner);

      assert.equal(res.status, 201);
      const { id, createdAt, updatedAt, ...rest } = res.body;
      assert.match(id, /^c[a-z0-9]{24}$/);
      assert.equal(createdAt, updatedAt);
      assert.deepEqual(rest, {
        ...fields,
        ...NO_DOCUMENT,
        tenantId,
        items: [{ ...STORED_ITEM, model: 'SE-200' }],
        isActive: true,
        creator: { name: 'Diana' },
      });
    });

    it('defaults: shipping 0, MXN, discount 0 %', async () => {
      const { owner } = await build.business();
      const { discountPct: _, ...item } = ITEM;

      const res = await app.post('/api/templates', { name: ' Oficina ', items: [item] }, owner);

      assert.deepEqual(
        [res.body.name, res.body.description, res.body.notes, res.body.shippingCost, res.body.currency, res.body.items],
        ['Oficina', null, null, 0, 'MXN', [{ ...STORED_ITEM, discountPct: 0 }]],
      );
    });

    it('writes the audit entry create of a template', async () => {
      const business = await build.business();
      const { id } = await create(business.owner);

      const [entry, ...more] = await auditOf(business, id);

      assert.deepEqual(
        [entry?.action, entry?.entity, entry?.userId, more.length],
        ['create', 'template', business.userId, 0],
      );
      assert.deepEqual(entry?.metadata, { name: 'Oficina', items: 1, currency: 'MXN' });
    });

    it('accepts maximum lengths', async () => {
      const { owner } = await build.business();

      await create(owner, {
        name: 'ñ'.repeat(100),
        description: 'd'.repeat(500),
        notes: 'n'.repeat(2000),
        currency: 'ABCDEFGHIJ',
      });
    });

    it("answers 404 «Producto no encontrado» to a line with another business's product", async () => {
      const [mine, other] = [await build.business(), await build.business()];
      const { id: productId } = await build.product(other);

      const res = await app.post('/api/templates', { name: 'x', items: [{ ...ITEM, productId }] }, mine.owner);

      assert.deepEqual([res.status, res.body.error], [404, 'Producto no encontrado']);
    });
  });

  describe('GET', () => {
    it('lists active templates, newest first, with the name of the creator', async () => {
      const { owner } = await build.business();
      const [first, second, third] = [await create(owner), await create(owner), await create(owner)];
      await remove(second.id, owner);

      const { body } = await app.get('/api/templates', owner);

      assert.deepEqual(
        body.map(({ id, creator }: { id: string; creator: object }) => [id, creator]),
        [
          [third.id, { name: 'Diana' }],
          [first.id, { name: 'Diana' }],
        ],
      );
    });
  });

  describe('PATCH /api/templates/:id', () => {
    it('changes the given members and audits before and after', async () => {
      const business = await build.business();
      const { id } = await create(business.owner, { notes: 'Antes', shippingCost: 10 });
      const items = [{ productName: 'Mesa', unitPrice: 5, quantity: 1 }];

      const res = await app.patch(`/api/templates/${id}`, { items, notes: null, shippingCost: 0 }, business.owner);

      assert.equal(res.status, 200);
      const stored = [{ ...STORED_ITEM, productName: 'Mesa', unitPrice: 5, quantity: 1, discountPct: 0 }];
      assert.deepEqual(
        [res.body.name, res.body.items, res.body.notes, res.body.shippingCost, res.body.creator],
        ['Oficina', stored, null, 0, { name: 'Diana' }],
      );
      const [, update] = await auditOf(business, id);
      assert.deepEqual(update?.metadata, {
        before: { items: [STORED_ITEM], notes: 'Antes', shippingCost: '10.00' },
        after: { items: stored, notes: null, shippingCost: '0.00' },
      });
    });

    it('writes nothing when nothing changes', async () => {
      const business = await build.business();
      const { id, updatedAt } = await create(business.owner, { shippingCost: 10.5 });

      const res = await app.patch(
        `/api/templates/${id}`,
        { name: 'Oficina', shippingCost: 10.5, items: [ITEM] },
        business.owner,
      );

      assert.deepEqual([res.status, res.body.updatedAt], [200, updatedAt]);
      assert.equal((await auditOf(business, id)).length, 1);
    });

    it('answers 404 «Plantilla no encontrada» for a deleted template', async () => {
      const { owner } = await build.business();
      const { id } = await create(owner);
      await remove(id, owner);

      const res = await app.patch(`/api/templates/${id}`, { name: 'Otra' }, owner);

      assert.deepEqual([res.status, res.body.error], [404, 'Plantilla no encontrada']);
    });
  });

  describe('DELETE /api/templates/:id', () => {
    it('answers {ok: true} and sets isActive false; repeated calls write one audit entry', async () => {
      const business = await build.business();
      const { id } = await create(business.owner);

      const [first, second] = [await remove(id, business.owner), await remove(id, business.owner)];

      assert.deepEqual([first.status, first.body, second.status], [200, { ok: true }, 200]);
      assert.equal((await app.get(`/api/templates/${id}`, business.owner)).body.isActive, false);
      assert.deepEqual(
        (await auditOf(business, id)).map(({ action }) => action),
        ['create', 'delete'],
      );
    });
  });
});
