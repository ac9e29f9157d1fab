import assert from 'node:assert/strict';
import { Client } from '../../db/models/client.ts';
import * as build from './build.ts';
import { type Service, service } from './service.ts';

describe('GET /api/clients', () => {
  let app: Service;
  before(async () => {
    app = await service();
  });

  const namesOf = (res: { body: { data: { contactName: string }[] } }) =>
    res.body.data.map(({ contactName }) => contactName);

  /** The names of the clients that a search finds. */
  const found = async ({ owner }: build.Business, search: string) =>
    namesOf(await app.get(`/api/clients?${new URLSearchParams({ search }).toString()}`, owner)).toSorted();

  async function businessWith(...names: string[]): Promise<build.Business> {
    const business = await build.business();
    // Without an address, because the search includes it and a random one could match.
    for (const contactName of names)
      await build.client(business.owner, { contactName, companyName: null, email: null });
    return business;
  }

  it('answers 200 {data, total, page, totalPages}, newest first', async () => {
    const { owner } = await businessWith('Uno', 'Dos', 'Tres');

    const res = await app.get('/api/clients', owner);

    assert.equal(res.status, 200);
    assert.deepEqual(namesOf(res), ['Tres', 'Dos', 'Uno']);
    assert.deepEqual([res.body.total, res.body.page, res.body.totalPages], [3, 1, 1]);
  });

  it('answers 200 with an empty list and totalPages 0 for a new business', async () => {
    const { owner } = await build.business();

    const res = await app.get('/api/clients', owner);

    assert.deepEqual(res.body, { data: [], total: 0, page: 1, totalPages: 0, nextCursor: null });
  });

  describe('search', () => {
    it('ignores letter case and accents of both texts', async () => {
      const business = await businessWith('José Ñúñez', 'Ana');

      assert.deepEqual(await found(business, 'jose nunez'), ['José Ñúñez']);
      assert.deepEqual(await found(business, 'ÁNÁ'), ['Ana']);
    });

    it('finds a name with combining accents', async () => {
      const business = await businessWith('José');

      assert.deepEqual(await found(business, 'Jose\u0301'), ['José']);
    });

    it('searches company name and e-mail too', async () => {
      const business = await build.business();
      await build.client(business.owner, { contactName: 'Uno', companyName: 'Aceros del Norte' });
      await build.client(business.owner, { contactName: 'Dos', companyName: null, email: 'ventas@nortena.example' });

      assert.deepEqual(await found(business, 'NORTE'), ['Dos', 'Uno']);
    });

    for (const [character, name, other, search] of [
      ['a percent sign', '100% Natural', '100 Natural', '100%'],
      ['an underscore', 'a_b', 'acb', '_'],
      ['a backslash', 'a\\b', 'ab', '\\'],
      ['a question mark and a quotation mark', "O'Higgins?", 'Ohiggins', "o'higgins?"],
    ] as const) {
      it(`matches ${character} literally`, async () => {
        assert.deepEqual(await found(await businessWith(name, other), search), [name]);
      });
    }
  });

  it('filters by `active`', async () => {
    const business = await businessWith('Activo', 'Inactivo');
    const { tenantId, owner } = business;
    await app.deps.withTenant(tenantId, (trx) =>
      Client.query(trx).where({ tenantId, contactName: 'Inactivo' }).patch({ isActive: false }),
    );

    assert.deepEqual(namesOf(await app.get('/api/clients?active=true', owner)), ['Activo']);
    assert.deepEqual(namesOf(await app.get('/api/clients?active=false', owner)), ['Inactivo']);
    assert.equal((await app.get('/api/clients', owner)).body.total, 2);
  });

  it('all pages together have each of many concurrently created clients exactly once', async () => {
    const { owner } = await build.business();
    const created = await Promise.all(Array.from({ length: 25 }, () => build.client(owner)));

    const pages = await Promise.all([1, 2, 3].map((page) => app.get(`/api/clients?limit=10&page=${page}`, owner)));

    const ids: string[] = pages.flatMap(({ body }) => body.data.map(({ id }: { id: string }) => id));
    assert.deepEqual(ids.toSorted(), created.map(({ id }) => id).toSorted());
    assert.equal(pages[0]?.body.totalPages, 3);
  });
});
