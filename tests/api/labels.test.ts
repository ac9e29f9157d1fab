import assert from 'node:assert/strict';
import * as build from './build.ts';
import { type Credential, type Service, service } from './service.ts';
import { auditOf } from './stored.ts';

describe('/api/labels', () => {
  let app: Service;
  before(async () => {
    app = await service();
  });

  const create = (as: Credential, body: unknown) => app.post('/api/labels', body, as);
  const remove = (path: string, as: Credential) => app.request('DELETE', path, { headers: as });

  async function label(as: Credential, name = 'Urgente'): Promise<{ id: string; name: string; color: string }> {
    const res = await create(as, { name });
    assert.equal(res.status, 201);
    return res.body;
  }

  describe('POST', () => {
    it('answers 201 with the record, its colour in lower case, and writes an audit entry «create»', async () => {
      const business = await build.business();

      const res = await create(business.owner, { name: ' Urgente ', color: '#FF8800' });

      assert.equal(res.status, 201);
      const { id, createdAt, ...rest } = res.body;
      assert.deepEqual(rest, { name: 'Urgente', color: '#ff8800' });
      assert.ok(Date.parse(createdAt));
      const [entry] = await auditOf(business, id);
      assert.deepEqual([entry?.action, entry?.entity, entry?.metadata], ['create', 'label', rest]);
    });

    it('answers 409 «Ya existe una etiqueta con ese nombre» to a name in use, in any letter case', async () => {
      const { owner } = await build.business();
      await label(owner);

      const res = await create(owner, { name: 'URGENTE' });

      assert.deepEqual(
        [res.status, res.body.error, res.body.code],
        [409, 'Ya existe una etiqueta con ese nombre', 'conflict'],
      );
    });

    it('allows the same name in another business', async () => {
      await label((await build.business()).owner);

      await label((await build.business()).owner);
    });
  });

  describe('GET', () => {
    it('answers an array of the own labels by name, also to collaborators and on FREE', async () => {
      const business = await build.business({ plan: 'FREE' });
      await label((await build.business()).owner, 'Ajena');
      await label(business.owner, 'b');
      await label(business.owner, 'A');
      const { as } = await build.member(business);

      const res = await app.get('/api/labels', as);

      assert.equal(res.status, 200);
      assert.deepEqual(
        res.body.map(({ name }: { name: string }) => name),
        ['A', 'b'],
      );
    });
  });

  describe('PATCH /:id', () => {
    it('answers 200 with the changed record and audits before and after', async () => {
      const business = await build.business();
      const { id, color } = await label(business.owner);

      const res = await app.patch(`/api/labels/${id}`, { name: 'Para hoy' }, business.owner);

      assert.deepEqual([res.status, res.body.name, res.body.color], [200, 'Para hoy', color]);
      const [, entry] = await auditOf(business, id);
      assert.deepEqual(
        [entry?.action, entry?.metadata],
        ['update', { before: { name: 'Urgente' }, after: { name: 'Para hoy' } }],
      );
    });

    it('answers 409 «Ya existe una etiqueta con ese nombre» to the name of another label', async () => {
      const { owner } = await build.business();
      await label(owner, 'Urgente');
      const { id } = await label(owner, 'Lenta');

      const res = await app.patch(`/api/labels/${id}`, { name: 'urgente' }, owner);

      assert.deepEqual([res.status, res.body.error], [409, 'Ya existe una etiqueta con ese nombre']);
    });
  });

  describe('DELETE /:id', () => {
    it('answers 200 {ok: true} and removes the label from quotes', async () => {
      const business = await build.business();
      const { owner } = business;
      const [{ id }, quote] = [await label(owner), await build.quote(owner)];
      await app.post(`/api/quotes/${quote.id}/labels/${id}`, undefined, owner);

      const res = await remove(`/api/labels/${id}`, owner);

      assert.deepEqual([res.status, res.body], [200, { ok: true }]);
      assert.deepEqual((await app.get('/api/labels', owner)).body, []);
      assert.deepEqual((await app.get(`/api/quotes/${quote.id}`, owner)).body.labels, []);
      const [, entry] = await auditOf(business, id);
      assert.deepEqual([entry?.action, entry?.metadata['quotes']], ['delete', 1]);
    });
  });

  describe('POST and DELETE /api/quotes/:id/labels/:labelId', () => {
    it('add and remove a label; repeated calls have no second effect', async () => {
      const business = await build.business();
      const { owner } = business;
      const [{ id, name, color }, quote] = [await label(owner), await build.quote(owner)];
      const path = `/api/quotes/${quote.id}/labels/${id}`;

      const put = [await app.post(path, undefined, owner), await app.post(path, undefined, owner)];
      const shown = await app.get(`/api/quotes/${quote.id}`, owner);
      const listed = await app.get('/api/quotes', owner);
      const taken = [await remove(path, owner), await remove(path, owner)];

      assert.deepEqual(
        [...put, ...taken].map(({ status, body }) => [status, body]),
        Array.from({ length: 4 }, () => [200, { ok: true }]),
      );
      assert.deepEqual(shown.body.labels, [{ id, name, color }]);
      assert.deepEqual(listed.body.data[0].labels, [{ id, name, color }]);
      assert.deepEqual((await app.get(`/api/quotes/${quote.id}`, owner)).body.labels, []);
      const entries = (await auditOf(business, quote.id)).slice(1);
      assert.deepEqual(
        entries.map(({ action, metadata }) => [action, Object.keys(metadata)]),
        [
          ['update', ['quoteNumber', 'labelAdded']],
          ['update', ['quoteNumber', 'labelRemoved']],
        ],
      );
    });

    it('answer 200 to concurrent requests for the same label', async () => {
      const { owner } = await build.business();
      const [{ id }, quote] = [await label(owner), await build.quote(owner)];
      const path = `/api/quotes/${quote.id}/labels/${id}`;

      const responses = await Promise.all(Array.from({ length: 8 }, () => app.post(path, undefined, owner)));

      assert.deepEqual(new Set(responses.map(({ status }) => status)), new Set([200]));
    });
  });
});
