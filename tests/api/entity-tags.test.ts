import assert from 'node:assert/strict';
import { apiRoutes } from '../../api/app.ts';
import { newId } from '../../db/ids.ts';
import { changeQuoteStatus } from '../../db/writes/change-quote-status.ts';
import { markQuoteSent } from '../../db/writes/mark-quote-sent.ts';
import * as build from './build.ts';
import { rawRequest } from './raw-http.ts';
import { type Credential, ownService, type Service, service } from './service.ts';

const MAIL = { userId: null, kind: 'mail', movesQuotesAs: 'mail', requestId: null } as const;
const AUTOMATION = { ...MAIL, kind: 'automation', movesQuotesAs: 'automation' } as const;
const REFUSAL = { status: 412, error: 'La versión cambió', code: 'version_mismatch' };

describe('Entity tags', () => {
  let app: Service;
  let business: build.Business;
  let owner: Credential;
  before(async () => {
    app = await service();
    business = await build.business();
    ({ owner } = business);
  });

  const tagOf = async (path: string, as: Credential = owner): Promise<string> =>
    (await app.get(path, as)).headers.get('ETag') ?? '';
  const conditional = (method: string, path: string, body: unknown, headers: Credential) =>
    app.request(method, path, { headers: { ...owner, ...headers }, ...(body !== undefined && { body }) });
  const refusalOf = ({ status, body }: { status: number; body: { error?: string; code?: string } }) => ({
    status,
    error: body.error,
    code: body.code,
  });
  const client = async () => `/api/clients/${(await build.client(owner)).id}`;
  const product = async () => `/api/products/${(await build.product(business)).id}`;
  const quote = async () => {
    const made = await build.quote(owner);
    const items = [{ ...build.ITEM, quantity: 5 }];
    return { path: `/api/quotes/${made.id}`, revision: { clientId: made.client.id, items }, made };
  };

  describe('ETag', () => {
    it('is strong, and the same for a session and a key', async () => {
      const { as } = await build.member(business, { role: 'OWNER' });
      const paths = [(await quote()).path, await client(), await product(), '/api/settings'];

      const tags = await Promise.all(paths.map(async (path) => [await tagOf(path), await tagOf(path, as)]));

      for (const [session, key] of tags) {
        assert.match(session ?? '', /^"[\w-]+"$/);
        assert.equal(session, key);
      }
    });

    it('a response of POST, PATCH, PUT or revise has the one of the next GET', async () => {
      const { id: product } = await build.product(business);
      const { id: clientId } = await build.client(owner);
      const items = [{ ...build.ITEM, productId: product }];
      const template = await app.post('/api/templates', { name: 'Básica', items: [build.ITEM] }, owner);
      const label = await app.post('/api/labels', { name: newId() }, owner);
      const created = await app.post('/api/quotes', { clientId, items }, owner);
      const path = `/api/quotes/${created.body.id}`;
      const requests: readonly (readonly [string, string, unknown, string?])[] = [
        ['POST', '/api/clients', { contactName: 'Eva' }, '/api/clients/'],
        ['POST', '/api/products', { name: 'Mesa', unitPrice: 1 }, '/api/products/'],
        ['POST', '/api/quotes', { clientId, items }, '/api/quotes/'],
        ['POST', `${path}/duplicate`, undefined, '/api/quotes/'],
        [
          'POST',
          '/api/connector/actions/create-from-template',
          { clientId, templateId: template.body.id },
          '/api/quotes/',
        ],
        ['POST', `${path}/revise`, { clientId, items }, '/api/quotes/'],
        [
          'PATCH',
          path,
          { validUntil: new Date(Date.now() + 9 * 86_400_000).toISOString().slice(0, 10) },
          '/api/quotes/',
        ],
        ['PATCH', `${path}/status`, { status: 'SENT' }, '/api/quotes/'],
        ['PATCH', `/api/clients/${clientId}`, { contactName: 'Otra' }, '/api/clients/'],
        ['PATCH', `/api/products/${product}`, { name: 'Otra' }, '/api/products/'],
        ['PUT', '/api/settings', { phone: '55' }],
      ];
      await app.post(`${path}/labels/${label.body.id}`, undefined, owner);

      for (const [method, url, body, read] of requests) {
        const res = await conditional(method, url, body, {});
        assert.ok(res.status < 300, JSON.stringify(res.body));
        const sent = res.headers.get('ETag');
        assert.ok(sent);
        assert.deepEqual([url, await tagOf(read ? read + res.body.id : url)], [url, sent]);
      }
    });

    it('is the same after a view, a new link and a repeated share, and another after an answer', async () => {
      const { page, id } = await build.sentQuote(business);
      const path = `/api/quotes/${id}`;
      const before = await app.get(path, owner);

      await app.request('GET', page, { headers: { Accept: 'text/html', 'User-Agent': 'Mozilla/5.0' } });
      const viewed = await app.get(path, owner);
      await app.post(`${path}/share`, { channel: 'link' }, owner);
      const { body: link } = await app.post(`${path}/link/rotate`, undefined, owner);
      await app.deps.withTenant(business.tenantId, (trx) =>
        markQuoteSent(trx, { ...MAIL, tenantId: business.tenantId }, id, newId()),
      );
      const shared = await tagOf(path);
      await app.post(`/api/portal/${link.publicToken}/reject`, { version: 1, reason: 'Caro' });
      const answered = await app.get(path, owner);

      assert.deepEqual([before.body.viewCount, viewed.body.viewCount], [0, 1]);
      assert.deepEqual([viewed.headers.get('ETag'), shared], [before.headers.get('ETag'), before.headers.get('ETag')]);
      assert.equal(answered.body.status, 'REJECTED');
      assert.notEqual(answered.headers.get('ETag'), shared);
    });

    it('is another one once the quote has expired', async () => {
      const { path } = await quote();
      const later = await ownService({}, (deps) => ({ ...deps, now: () => new Date(Date.now() + 40 * 86_400_000) }));

      const open = await app.get(path, owner);
      const expired = await later.get(path, owner);

      assert.deepEqual([open.body.isExpired, expired.body.isExpired], [false, true]);
      assert.notEqual(expired.headers.get('ETag'), open.headers.get('ETag'));
    });

    it('of the settings changes when nextQuoteNumber is set, and not with a new quote', async () => {
      const before = await tagOf('/api/settings');
      await quote();
      const quoted = await app.get('/api/settings', owner);
      const nextQuoteNumber = Number(quoted.body.data.nextQuoteNumber) + 10;

      const raised = await conditional('PUT', '/api/settings', { nextQuoteNumber }, { 'If-Match': before });

      assert.equal(quoted.headers.get('ETag'), before);
      assert.equal(raised.status, 200);
      assert.notEqual(raised.headers.get('ETag'), before);
    });

    it('does not return to an earlier one when a label is put on and taken off', async () => {
      const { path } = await quote();
      const { body: label } = await app.post('/api/labels', { name: newId() }, owner);
      const before = await tagOf(path);

      await app.post(`${path}/labels/${label.id}`, undefined, owner);
      await app.request('DELETE', `${path}/labels/${label.id}`, { headers: owner });

      assert.notEqual(await tagOf(path), before);
    });
  });

  describe('If-Match', () => {
    it('every route that checks it answers 412 «La versión cambió» to another tag, and changes nothing', async () => {
      const { path, revision } = await quote();
      const [clientPath, productPath] = [await client(), await product()];
      const requests: Readonly<Record<string, readonly [string, string, object?]>> = {
        'PATCH /api/clients/:id': ['PATCH', clientPath, { contactName: 'Otra' }],
        'DELETE /api/clients/:id': ['DELETE', clientPath],
        'PATCH /api/products/:id': ['PATCH', productPath, { name: 'Otra' }],
        'DELETE /api/products/:id': ['DELETE', productPath],
        'PATCH /api/quotes/:id': ['PATCH', path, { expiresAt: new Date(Date.now() + 86_400_000).toISOString() }],
        'PATCH /api/quotes/:id/status': ['PATCH', `${path}/status`, { status: 'SENT' }],
        'POST /api/quotes/:id/revise': ['POST', `${path}/revise`, revision],
        'PUT /api/settings': ['PUT', '/api/settings', { phone: newId() }],
      };
      const reads = [path, clientPath, productPath, '/api/settings'];
      const before = await Promise.all(reads.map((read) => tagOf(read)));

      for (const [method, url, body] of Object.values(requests)) {
        const res = await conditional(method, url, body, { 'If-Match': '"otra"' });
        assert.deepEqual([url, refusalOf(res)], [url, REFUSAL]);
      }

      assert.deepEqual(await Promise.all(reads.map((read) => tagOf(read))), before);
      const checking = apiRoutes(app.deps).filter(({ etag }) => etag === 'checked');
      assert.deepEqual(checking.map((route) => `${route.method} ${route.path}`).sort(), Object.keys(requests).sort());
    });

    it('accepts the current tag, `*` and lists with the current tag, and no weak tag', async () => {
      const path = await client();
      const patch = async (form: (tag: string) => string) => {
        const headers = { 'If-Match': form(await tagOf(path)) };
        return (await conditional('PATCH', path, { notes: newId() }, headers)).status;
      };

      const accepted = [
        await patch((tag) => tag),
        await patch(() => '*'),
        await patch(() => ' * '),
        await patch((tag) => `"a", ${tag}`),
        await patch((tag) => `"a,b" ,W/"c",,\t${tag} , ""`),
        await patch((tag) => `,${tag},`),
      ];
      const refused = [
        await patch((tag) => `W/${tag}`),
        await patch(() => '"*"'),
        await patch(() => '"a", "b"'),
        await patch((tag) => tag.toUpperCase().replace(/-.*"/, '"')),
      ];

      assert.deepEqual([accepted, refused], [accepted.map(() => 200), refused.map(() => 412)]);
    });

    for (const header of [
      '',
      ' ',
      ',',
      'abc',
      '"abc',
      'abc"',
      '"a" "b"',
      '"a", *',
      '*, "a"',
      'w/"a"',
      '"a"b',
      '"a b"',
    ]) {
      it(`answers 400 to the malformed «${header}», also for an unknown record`, async () => {
        const missing = `/api/clients/${newId()}`;
        const message = 'If-Match: debe ser * o una lista de etiquetas entre comillas, como las de ETag';

        const res = await conditional('PATCH', missing, {}, { 'If-Match': header });

        assert.deepEqual([res.status, res.body.error, res.body.code], [400, message, 'invalid']);
      });
    }

    it('several header lines are one list', async () => {
      const path = await client();
      const headers = { ...owner, 'Content-Type': 'application/json', 'If-Match': ['"a"', await tagOf(path)] };

      const res = await rawRequest(app.url + path, { method: 'PATCH', headers, body: '{"notes":"x"}' });

      assert.equal(res.status, 200);
    });

    it('is checked after the role, the plan, the shape and the 404, and before the state', async () => {
      const { path, revision, made } = await quote();
      const { as } = await build.member(business);
      await build.patchQuote(business, made.id, { status: 'WON' });
      const stale = { 'If-Match': '"otra"' };

      const responses = [
        await app.request('PATCH', `/api/clients/${newId()}`, { headers: { ...as, ...stale }, body: {} }),
        await conditional('POST', `${path}/revise`, { ...revision, items: [] }, stale),
        await conditional('PATCH', path, {}, stale),
        await conditional('POST', `/api/quotes/${newId()}/revise`, revision, stale),
        await conditional('PATCH', `/api/quotes/${newId()}/status`, { status: 'LOST' }, stale),
        await conditional('POST', `${path}/revise`, revision, stale),
        await conditional('PATCH', `${path}/status`, { status: 'LOST' }, stale),
      ];

      assert.deepEqual(
        responses.map(({ status }) => status),
        [403, 400, 400, 404, 404, 412, 412],
      );
    });

    it('a 412 is not stored for the Idempotency-Key; a success is, and is repeated although the tag is old', async () => {
      const { path, revision } = await quote();
      const key = { 'Idempotency-Key': newId() };
      const current = await tagOf(path);
      const revise = (tag: string) => conditional('POST', `${path}/revise`, revision, { ...key, 'If-Match': tag });

      const [refused, done, repeated] = [await revise('"otra"'), await revise(current), await revise(current)];

      assert.deepEqual([refused.status, done.status, repeated.status], [412, 200, 200]);
      assert.deepEqual(
        [repeated.headers.get('Idempotency-Replayed'), repeated.headers.get('ETag'), repeated.body],
        ['true', done.headers.get('ETag'), done.body],
      );
      assert.equal((await app.get(path, owner)).body.version, 2);
    });

    it('of 20 concurrent edits with one tag exactly one succeeds: revisions, clients, products and settings', async () => {
      const { path, revision } = await quote();
      const edits: readonly (readonly [string, string, string, (n: number) => object])[] = [
        [path, 'POST', `${path}/revise`, (n) => ({ ...revision, notes: `${n}` })],
        ...[await client(), await client()].map(
          (url) => [url, 'PATCH', url, (n: number) => ({ notes: `${n}` })] as const,
        ),
        ...[await product()].map((url) => [url, 'PATCH', url, (n: number) => ({ name: `Silla ${n}` })] as const),
        ['/api/settings', 'PUT', '/api/settings', (n) => ({ phone: `55 0000 00${n}`, nextQuoteNumber: 5_000 + n })],
      ];

      for (const [read, method, url, body] of edits) {
        const headers = { 'If-Match': await tagOf(read) };
        const all = await Promise.all(Array.from({ length: 20 }, (_, n) => conditional(method, url, body(n), headers)));
        const statuses = all.map(({ status }) => status).toSorted((a, b) => a - b);
        assert.deepEqual([url, statuses], [url, [200, ...Array.from({ length: 19 }, () => 412)]]);
        const winner = all.find(({ status }) => status === 200);
        assert.equal(await tagOf(read), winner?.headers.get('ETag'));
      }
    });

    it('an automation that moves the quote makes the tag old', async () => {
      const { path, revision, made } = await quote();
      const before = await tagOf(path);
      await app.deps.withTenant(business.tenantId, (trx) =>
        changeQuoteStatus(trx, { ...AUTOMATION, tenantId: business.tenantId }, made.id, 'SENT'),
      );

      const res = await conditional('POST', `${path}/revise`, revision, { 'If-Match': before });

      assert.deepEqual(refusalOf(res), REFUSAL);
    });
  });

  describe('If-None-Match', () => {
    it('answers 304 without content to the current tag, a list with it, its weak form and `*`', async () => {
      const paths = [(await quote()).path, await client(), await product(), '/api/settings'];

      for (const path of paths) {
        const tag = await tagOf(path);
        for (const header of [tag, `"a", ${tag}`, `W/${tag}`, '*']) {
          const res = await conditional('GET', path, undefined, { 'If-None-Match': header });
          assert.deepEqual([header, res.status, res.headers.get('ETag'), res.bytes.length], [header, 304, tag, 0]);
        }
      }
    });

    it('answers 200 to another tag, 304 to HEAD, 404 for an unknown record and 400 to a malformed tag', async () => {
      const path = await client();
      const tag = await tagOf(path);

      const responses = [
        await conditional('GET', path, undefined, { 'If-None-Match': '"otra"' }),
        await conditional('HEAD', path, undefined, { 'If-None-Match': tag }),
        await conditional('GET', `/api/clients/${newId()}`, undefined, { 'If-None-Match': '*' }),
        await conditional('GET', path, undefined, { 'If-None-Match': tag.replaceAll('"', '') }),
      ];

      assert.deepEqual(
        responses.map(({ status }) => status),
        [200, 304, 404, 400],
      );
    });
  });

  describe('version in the body of a revision', () => {
    it('the current one passes; another gets 409 «La versión de la cotización cambió» and changes nothing', async () => {
      const { path, revision } = await quote();
      const revise = (version: number) => app.post(`${path}/revise`, { ...revision, version }, owner);

      const [future, current, former] = [await revise(2), await revise(1), await revise(1)];

      const refused = { status: 409, error: 'La versión de la cotización cambió', code: 'conflict' };
      assert.deepEqual([refusalOf(future), refusalOf(former)], [refused, refused]);
      assert.deepEqual([current.status, current.body.version], [200, 2]);
      assert.equal((await app.get(path, owner)).body.version, 2);
    });

    it('answers 412 when the tag is old as well, and 400 to 0', async () => {
      const { path, revision } = await quote();

      const both = await conditional('POST', `${path}/revise`, { ...revision, version: 9 }, { 'If-Match': '"otra"' });
      const zero = await app.post(`${path}/revise`, { ...revision, version: 0 }, owner);

      assert.deepEqual(refusalOf(both), REFUSAL);
      assert.deepEqual([zero.status, zero.body.error], [400, 'version: debe ser mayor o igual que 1']);
    });
  });
});
