import assert from 'node:assert/strict';
import { cursorAfter } from '../../api/cursor.ts';
import { newId } from '../../db/ids.ts';
import { MAX_QUOTE_NUMBER } from '../../domain/quote-number.ts';
import * as build from './build.ts';
import { type Credential, type Service, service } from './service.ts';
import { type CursorList, cursorLists, idsByCursor, manyQuotes, webhookWithDeliveries } from './cursor-lists.ts';

describe('Lists with cursors', () => {
  let app: Service;
  let business: build.Business;
  let lists: readonly CursorList[];
  before(async () => {
    app = await service();
    business = await build.business();
    lists = await cursorLists(business);
  });

  const listNamed = (name: string): CursorList => {
    const list = lists.find((one) => one.name === name);
    assert.ok(list);
    return list;
  };
  const LISTS = ['quotes', 'clients', 'products', 'audit logs', 'deliveries'] as const;

  for (const name of LISTS) {
    describe(name, () => {
      it('have the same records by cursor as by page number, in the same order', async () => {
        const { path, count } = listNamed(name);
        const all = await app.get(`${path}?limit=100`, business.owner);

        const pages = await idsByCursor(path, { limit: '3' }, business.owner);

        assert.equal(all.body.data.length, count);
        assert.deepEqual(
          pages.flat(),
          all.body.data.map(({ id }: { id: string }) => id),
        );
        assert.ok(pages.every((page, index) => page.length === (index < pages.length - 1 ? 3 : count % 3 || 3)));
      });

      it('answer total, page, totalPages and nextCursor by page number, and only data and nextCursor by cursor', async () => {
        const { path, count } = listNamed(name);

        const first = await app.get(`${path}?limit=2`, business.owner);
        const second = await app.get(`${path}?limit=2&cursor=${first.body.nextCursor}`, business.owner);

        assert.deepEqual([first.body.total, first.body.page, first.body.totalPages], [count, 1, Math.ceil(count / 2)]);
        assert.match(first.body.nextCursor, /^[\w-]{20,200}$/);
        assert.deepEqual(Object.keys(second.body).toSorted(), ['data', 'nextCursor']);
        assert.equal(second.body.data.length, 2);
      });

      it('answer nextCursor null on the last page, and past the end', async () => {
        const { path, count } = listNamed(name);

        const exact = await app.get(`${path}?limit=${count}`, business.owner);
        const past = await app.get(`${path}?limit=${count}&page=2`, business.owner);

        assert.deepEqual([exact.body.data.length, exact.body.nextCursor], [count, null]);
        assert.deepEqual([past.body.data.length, past.body.nextCursor], [0, null]);
      });

      it('go on by cursor after a later page', async () => {
        const { path } = listNamed(name);
        const third = await app.get(`${path}?limit=2&page=3`, business.owner);
        const second = await app.get(`${path}?limit=2&page=2`, business.owner);

        const after = await app.get(`${path}?limit=2&cursor=${second.body.nextCursor}`, business.owner);

        assert.deepEqual(after.body.data, third.body.data);
      });

      it('refuse with 400 a cursor with any character changed, removed or added', async () => {
        const { path } = listNamed(name);
        const { body } = await app.get(`${path}?limit=2`, business.owner);
        const cursor: string = body.nextCursor;
        const other = (character: string) => (character === 'A' ? 'B' : 'A');
        const changed = Array.from(cursor, (character, index) =>
          [cursor.slice(0, index), other(character), cursor.slice(index + 1)].join(''),
        );

        const wrong = [...changed, cursor.slice(1), cursor.slice(0, -1), `${cursor}A`, `A${cursor}`, 'A', newId()];
        const answers = await Promise.all(
          wrong.map((text) => app.get(`${path}?limit=2&cursor=${text}`, business.owner)),
        );

        assert.deepEqual(new Set(answers.map(({ status }) => status)), new Set([400]));
      });

      it('refuse with 400 the cursor of another business', async () => {
        const other = await build.business();
        const theirs = (await cursorLists(other)).find((list) => list.name === name);
        assert.ok(theirs);
        const { body } = await app.get(`${theirs.path}?limit=2`, other.owner);

        const res = await app.get(`${listNamed(name).path}?limit=2&cursor=${body.nextCursor}`, business.owner);

        assert.equal(res.status, 400);
        assert.deepEqual(
          res.body.details.map(({ path }: { path: string }) => path),
          ['cursor'],
        );
      });

      it('refuse with 400 a cursor with a page number', async () => {
        const { path } = listNamed(name);
        const { body } = await app.get(`${path}?limit=2`, business.owner);

        const res = await app.get(`${path}?limit=2&page=2&cursor=${body.nextCursor}`, business.owner);

        assert.equal(res.status, 400);
        assert.equal(res.body.details[0].message, 'no se combina con cursor ni con updatedSince');
      });

      it('take an empty cursor for none', async () => {
        const { path, count } = listNamed(name);

        const res = await app.get(`${path}?limit=2&cursor=`, business.owner);

        assert.equal(res.body.total, count);
      });
    });
  }

  it('refuse with 400 the cursor of another list', async () => {
    const paths = lists.map(({ path }) => path);
    const firsts = await Promise.all(paths.map((path) => app.get(`${path}?limit=2`, business.owner)));

    const answers = await Promise.all(
      paths.map((path, index) =>
        app.get(`${path}?limit=2&cursor=${firsts[(index + 1) % paths.length]?.body.nextCursor}`, business.owner),
      ),
    );

    assert.deepEqual(
      answers.map(({ status }) => status),
      paths.map(() => 400),
    );
  });

  it('refuse with 400 a cursor whose filters or order differ, whichever was added, changed or left out', async () => {
    const before = await app.get('/api/quotes?limit=2&sort=-total&minTotal=1&metadata.a=1', business.owner);
    const some = await app.get('/api/quotes?limit=2&sort=-total&minTotal=1', business.owner);
    assert.equal(before.body.nextCursor, null);
    const queries = ['sort=-total', 'sort=-total&minTotal=2', 'sort=total&minTotal=1', 'minTotal=1', 'status=SENT'];

    const answers = await Promise.all(
      queries.map((query) => app.get(`/api/quotes?limit=2&${query}&cursor=${some.body.nextCursor}`, business.owner)),
    );

    assert.deepEqual(
      answers.map(({ status, body }) => [status, body.error]),
      queries.map(() => [400, 'cursor: no es de esta lista con estos filtros y este orden; empiece de nuevo sin él']),
    );
  });

  it('accept the same filters in another order, and another limit', async () => {
    const { body } = await app.get('/api/quotes?limit=2&sort=-total&minTotal=1&metadata.=', business.owner);

    const res = await app.get(`/api/quotes?cursor=${body.nextCursor}&limit=5&minTotal=1&sort=-total`, business.owner);

    assert.deepEqual([res.status, res.body.data.length], [200, 5]);
  });

  it('refuse with 400 a cursor of another version of the product', async () => {
    const { body } = await app.get('/api/quotes?limit=2', business.owner);
    const [, position] = Buffer.from(body.nextCursor, 'base64url').toString().split(' ');

    const res = await app.get(
      `/api/quotes?limit=2&cursor=${Buffer.from(`0123456789abcdef ${position}`).toString('base64url')}`,
      business.owner,
    );

    assert.equal(res.status, 400);
  });

  const ID = `c${'z'.repeat(24)}`;
  const forged = (position: readonly string[]) =>
    cursorAfter({ list: 'clients', tenantId: business.tenantId, query: { page: 1, limit: 20 } }, position);
  const IMPOSSIBLE: readonly (readonly string[])[] = [
    [],
    ['1'],
    ['1', ID, ID],
    ['', ID],
    ['-1', ID],
    ['1.5', ID],
    ['1e9', ID],
    ['99999999999999999', ID],
    ["1'--", ID],
    ['1', 'c'],
    ['1', `${ID}\u0000`],
    ['NaN', ID],
  ];
  for (const position of IMPOSSIBLE) {
    it(`refuse with 400 the forged position ${JSON.stringify(position)}`, async () => {
      const res = await app.get(`/api/clients?cursor=${forged(position)}`, business.owner);

      assert.deepEqual([res.status, res.body.details[0].path], [400, 'cursor']);
    });
  }

  it('show with a forged position the records of the business that come after it, and no other', async () => {
    const { body: all } = await app.get('/api/clients?limit=100', business.owner);

    const { body: none } = await app.get(`/api/clients?cursor=${forged(['0', ID])}`, business.owner);
    const { body: found } = await app.get(`/api/clients?cursor=${forged(['9999999999999999', ID])}`, business.owner);

    assert.deepEqual([none.data, found.data], [[], all.data.slice(0, 20)]);
  });

  it('go on after a quote with ten digits in its number', async () => {
    const { owner } = await build.business();
    const settings = { headers: owner, body: { nextQuoteNumber: MAX_QUOTE_NUMBER } };
    assert.equal((await app.request('PUT', '/api/settings', settings)).status, 200);
    const made = [await build.quote(owner), await build.quote(owner), await build.quote(owner)];

    const pages = await idsByCursor('/api/quotes', { limit: '1' }, owner);

    assert.deepEqual(pages.flat(), made.map(({ id }) => id).toReversed());
  });

  it('of the audit log refuse a wrong cursor with «Parámetros inválidos»', async () => {
    const res = await app.get('/api/audit-logs?cursor=AAAA', business.owner);

    assert.deepEqual([res.status, res.body.error], [400, 'Parámetros inválidos']);
  });

  it('of a webhook refuse the cursor of another webhook', async () => {
    const { path } = listNamed('deliveries');
    const { body } = await app.get(`${path}?limit=2`, business.owner);
    const other = await webhookWithDeliveries(business);

    const res = await app.get(`/api/webhooks/${other}/deliveries?limit=2&cursor=${body.nextCursor}`, business.owner);

    assert.equal(res.status, 400);
  });
});

describe('GET /api/quotes by cursor', () => {
  let app: Service;
  let business: build.Business;
  let carlos: { as: Credential; userId: string };
  before(async () => {
    app = await service();
    business = await build.business();
    carlos = await build.member(business);
    await manyQuotes(business, { count: 23, userIds: [business.userId, carlos.userId] });
  });

  const SORTS = ['quoteNumber', 'createdAt', 'expiresAt', 'total'].flatMap((column) => [column, `-${column}`]);
  for (const sort of SORTS) {
    it(`has the same order as by page number with sort=${sort}, also where values are equal or differ by a microsecond`, () =>
      sameOrder(business.owner, { sort }));
    it(`has the same order as by page number with sort=${sort} and a filter`, () =>
      sameOrder(business.owner, { sort, from: '2020-01-01' }));
    it(`has the same order as by page number with sort=${sort} and a search`, () =>
      sameOrder(business.owner, { sort, search: 'La Palma' }));
    it(`has the same order as by page number with sort=${sort} for a collaborator`, () =>
      sameOrder(carlos.as, { sort }));
  }

  async function sameOrder(as: Credential, query: Record<string, string>): Promise<void> {
    const all = await app.get(`/api/quotes?limit=100&${new URLSearchParams(query).toString()}`, as);

    const pages = await idsByCursor('/api/quotes', { ...query, limit: '4' }, as);

    assert.ok(all.body.data.length > 10);
    assert.deepEqual(
      pages.flat(),
      all.body.data.map(({ id }: { id: string }) => id),
    );
  }

  it('responds with labels, lines and members as by page number', async () => {
    const first = await app.get('/api/quotes?limit=2', business.owner);
    const byNumber = await app.get('/api/quotes?limit=2&page=2', business.owner);

    const byCursor = await app.get(`/api/quotes?limit=2&cursor=${first.body.nextCursor}`, business.owner);

    assert.deepEqual(byCursor.body.data, byNumber.body.data);
  });
});
