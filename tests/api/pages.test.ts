import assert from 'node:assert/strict';
import * as build from './build.ts';
import { type Service, service } from './service.ts';

// D28, for every paged list. A new list is added here.
const LISTS = ['/api/quotes', '/api/clients'];

const REFUSED: readonly [query: string, message: string][] = [
  ['page=0', 'page: debe ser mayor o igual que 1'],
  ['page=-1', 'page: debe ser mayor o igual que 1'],
  ['page=abc', 'page: debe ser un número entero'],
  ['page=1.5', 'page: debe ser un número entero'],
  ['page=1e9', 'page: debe ser menor o igual que 1000000'],
  ['page=99999999999999999999', 'page: debe ser menor o igual que 1000000'],
  ['page=NaN', 'page: debe ser un número entero'],
  ['page=Infinity', 'page: debe ser un número'],
  ['page=', 'page: debe ser un número entero'],
  ['page=1&page=2', 'page: debe ser un número entero'],
  ['limit=0', 'limit: debe ser mayor o igual que 1'],
  ['limit=101', 'limit: debe ser menor o igual que 100'],
  ['limit=todo', 'limit: debe ser un número entero'],
];

for (const path of LISTS) {
  describe(`pages of GET ${path}`, () => {
    let app: Service;
    let business: build.Business;
    before(async () => {
      app = await service();
      business = await build.business();
      await build.quote(business.owner);
    });

    for (const [query, message] of REFUSED) {
      it(`answers 400 «${message}» to ${query}`, async () => {
        const res = await app.get(`${path}?${query}`, business.owner);

        assert.equal(res.status, 400);
        assert.equal(res.body.error, message);
      });
    }

    it('answers 200 with an empty list to the last page there can be', async () => {
      const res = await app.get(`${path}?page=1000000&limit=100`, business.owner);

      assert.equal(res.status, 200);
      assert.deepEqual(res.body, { data: [], total: 1, page: 1_000_000, totalPages: 1 });
    });

    it('ignores a parameter that it does not know', async () => {
      const res = await app.get(`${path}?tenantId=otro&orden=asc`, business.owner);

      assert.equal(res.status, 200);
      assert.equal(res.body.total, 1);
    });
  });
}
