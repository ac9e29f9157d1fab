import assert from 'node:assert/strict';
import * as build from './build.ts';
import { type Service, service } from './service.ts';

/** A paged list; limits are given if they differ from the default of 1 000 000 pages of up to 100. */
interface List {
  readonly path: string;
  readonly pages?: number;
  readonly limit?: number;
  /** The message for any malformed query, if the list has one. */
  readonly refusal?: string;
}

// All paged lists. Add new lists here.
const LISTS: readonly List[] = [
  { path: '/api/quotes' },
  { path: '/api/clients' },
  { path: '/api/products' },
  { path: '/api/automations/:automation/logs' },
  { path: '/api/webhooks/:webhook/deliveries' },
  { path: '/api/connector/actions/list-templates', limit: 500 },
  { path: '/api/notifications', pages: 1000, limit: 50 },
  { path: '/api/audit-logs', pages: 1000, refusal: 'Parámetros inválidos' },
];

const refusedBy = ({ pages = 1_000_000, limit = 100 }: List): readonly [query: string, message: string][] => [
  ['page=0', 'page: debe ser mayor o igual que 1'],
  ['page=-1', 'page: debe ser mayor o igual que 1'],
  ['page=abc', 'page: debe ser un número entero'],
  ['page=1.5', 'page: debe ser un número entero'],
  ['page=1e9', `page: debe ser menor o igual que ${pages}`],
  ['page=99999999999999999999', `page: debe ser menor o igual que ${pages}`],
  ['page=NaN', 'page: debe ser un número entero'],
  ['page=Infinity', 'page: debe ser un número'],
  ['page=1&page=2', 'page: debe ser un número entero'],
  [`page=${pages + 1}`, `page: debe ser menor o igual que ${pages}`],
  ['limit=0', 'limit: debe ser mayor o igual que 1'],
  ['limit=-1', 'limit: debe ser mayor o igual que 1'],
  [`limit=${limit + 1}`, `limit: debe ser menor o igual que ${limit}`],
  ['limit=1.5', 'limit: debe ser un número entero'],
  ['limit=todo', 'limit: debe ser un número entero'],
];

for (const list of LISTS) {
  describe(`pages of GET ${list.path}`, () => {
    let app: Service;
    let business: build.Business;
    let path: string;
    before(async () => {
      app = await service();
      business = await build.business();
      const { owner } = business;
      const action = { type: 'send_notification', title: 'Nueva', body: 'Hay una nueva' };
      const automation = { name: 'Avisar', trigger: 'QUOTE_SENT', actions: [action] };
      const webhook = { url: 'http://127.0.0.1:1/', events: ['quote.sent'] };
      path = list.path
        .replace(':automation', (await app.post('/api/automations', automation, owner)).body.id)
        .replace(':webhook', (await app.post('/api/webhooks', webhook, owner)).body.id);
    });

    for (const [query, message] of refusedBy(list)) {
      const error = list.refusal ?? message;
      it(`answers 400 «${error}» to ${query}`, async () => {
        const res = await app.get(`${path}?${query}`, business.owner);

        assert.deepEqual([res.status, res.body.error], [400, error]);
      });
    }

    it('answers 200 with an empty list to the maximum page', async () => {
      const { pages = 1_000_000, limit = 100 } = list;

      const res = await app.get(`${path}?page=${pages}&limit=${limit}`, business.owner);

      assert.equal(res.status, 200);
      assert.deepEqual(res.body.data ?? res.body.logs ?? res.body, []);
    });

    it('treats an empty parameter as absent', async () => {
      const res = await app.get(`${path}?page=&limit=`, business.owner);

      assert.equal(res.status, 200);
    });

    it('ignores an unknown parameter', async () => {
      const res = await app.get(`${path}?tenantId=otro&orden=asc`, business.owner);

      assert.equal(res.status, 200);
    });
  });
}

for (const path of ['/api/quotes', '/api/clients']) {
  it(`GET ${path} has the total on a page past the end too`, async () => {
    const app = await service();
    const { owner } = await build.business();
    await build.quote(owner);

    const { body } = await app.get(`${path}?page=7`, owner);

    assert.deepEqual(body, { data: [], total: 1, page: 7, totalPages: 1, nextCursor: null });
  });
}
