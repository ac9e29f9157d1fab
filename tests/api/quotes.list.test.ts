import assert from 'node:assert/strict';
import { dayOf } from '../../domain/zone.ts';
import * as build from './build.ts';
import { type Service, service } from './service.ts';

describe('GET /api/quotes', () => {
  let app: Service;
  before(async () => {
    app = await service();
  });

  interface Listed {
    readonly body: { readonly data: readonly { readonly id: string; readonly quoteNumber: number }[] };
  }
  const numbersOf = ({ body }: Listed) => body.data.map(({ quoteNumber }) => quoteNumber);
  const list = ({ owner }: build.Business, query: Record<string, string> = {}) =>
    app.get(`/api/quotes?${new URLSearchParams(query).toString()}`, owner);

  it('answers 200 {data, total, page, totalPages}, highest number first', async () => {
    const business = await build.business();
    await build.quote(business.owner);
    await build.quote(business.owner);

    const res = await list(business);

    assert.equal(res.status, 200);
    assert.deepEqual(numbersOf(res), [2, 1]);
    assert.deepEqual([res.body.total, res.body.page, res.body.totalPages], [2, 1, 1]);
  });

  it('an entry has money as strings, client, creator’s name and number of items', async () => {
    const business = await build.business();
    const created = await build.quote(business.owner, {
      items: [build.ITEM, build.ITEM],
      shippingCost: 9.5,
      notes: 'Hola',
    });

    const res = await list(business);

    const { id, expiresAt, validUntil, createdAt, client, ...rest } = res.body.data[0];
    assert.deepEqual(rest, {
      quoteNumber: 1,
      displayNumber: 'COT-1',
      title: null,
      reference: null,
      discount: '0.00',
      status: 'GENERATED',
      version: 1,
      currency: 'MXN',
      subtotal: '400.00',
      tax: '64.00',
      shippingCost: '9.50',
      total: '473.50',
      notes: 'Hola',
      isExpired: false,
      viewCount: 0,
      user: { name: 'Diana' },
      labels: [],
      answer: null,
      _count: { items: 2 },
    });
    assert.equal(id, created.id);
    assert.deepEqual(client, created.client);
    assert.ok(Date.parse(expiresAt) > Date.parse(createdAt));
    assert.equal(validUntil, dayOf(new Date(expiresAt), 'America/Mexico_City'));
  });

  it('has no token and no hash of it', async () => {
    const business = await build.business();
    const { publicToken } = await build.quote(business.owner);

    const res = await list(business);

    assert.ok(!res.bytes.includes(publicToken));
    assert.doesNotMatch(res.bytes.toString(), /token\w*":/i);
  });

  it('an expired quote has isExpired true and an unchanged status', async () => {
    const business = await build.business();
    const { id } = await build.quote(business.owner);
    await build.patchQuote(business, id, { status: 'SENT', expiresAt: new Date(Date.now() - 1_000) });

    const res = await list(business);

    assert.deepEqual([res.body.data[0].isExpired, res.body.data[0].status], [true, 'SENT']);
  });

  it('shows a collaborator their own quotes only, in data and in total', async () => {
    const business = await build.business();
    const carlos = await build.member(business);
    const { id: clientId } = await build.client(business.owner);
    await build.quote(business.owner, { clientId });
    const own = await build.quote(carlos.as, { clientId });

    const res = await app.get('/api/quotes', carlos.as);

    assert.deepEqual([numbersOf(res), res.body.total], [[own.quoteNumber], 1]);
  });

  it('has the quotes of collaborators for the owner', async () => {
    const business = await build.business();
    const carlos = await build.member(business);
    await build.quote(carlos.as);

    const res = await list(business);

    assert.equal(res.body.data[0].user.name, 'Carlos');
  });

  describe('search', () => {
    let business: build.Business;
    before(async () => {
      business = await build.business();
      const names = [
        { contactName: 'José Ñúñez', companyName: 'Aceros' },
        { contactName: 'Ana', companyName: '100% Natural' },
        { contactName: 'Ana', companyName: '100 Natural' },
      ];
      for (const fields of names) {
        const { id: clientId } = await build.client(business.owner, fields);
        await build.quote(business.owner, { clientId });
      }
    });

    const cases: readonly [search: string, finds: readonly number[], why: string][] = [
      ['2', [2], 'a number'],
      ['COT-2', [2], 'a number as the PDF shows it'],
      ['cot 2', [2], 'a number in lower case'],
      ['0002', [2], 'a number with leading zeros'],
      ['12', [], 'no partial match of numbers'],
      ['999999999999', [], 'a number beyond the range'],
      ['jose nunez', [1], 'the contact without accents'],
      ['ACEROS', [1], 'the company in another letter case'],
      ['100%', [2], 'a literal percent sign'],
      ['_', [], 'a literal underscore'],
      ['\\', [], 'a literal backslash'],
      ['ana', [3, 2], 'all that match, highest number first'],
      ['  ana ', [3, 2], 'whatever spaces stand around it'],
    ];
    for (const [search, finds, why] of cases) {
      it(`finds ${finds.join(', ') || 'nothing'} for «${search}»: ${why}`, async () => {
        const res = await list(business, { search });

        assert.equal(res.status, 200);
        assert.deepEqual([numbersOf(res), res.body.total], [finds, finds.length]);
      });
    }

    it('a collaborator does not find quotes of others', async () => {
      const { as } = await build.member(business);

      const res = await app.get('/api/quotes?search=2', as);

      assert.deepEqual(numbersOf(res), []);
    });

    it('answers 400 «search: contiene caracteres no permitidos» to U+0000', async () => {
      const res = await list(business, { search: 'a\u0000' });

      assert.deepEqual([res.status, res.body.error], [400, 'search: contiene caracteres no permitidos']);
    });
  });

  it('filters by status', async () => {
    const business = await build.business();
    await build.quote(business.owner);
    const { id } = await build.quote(business.owner);
    await build.patchQuote(business, id, { status: 'WON' });

    const res = await list(business, { status: 'WON' });

    assert.deepEqual([numbersOf(res), res.body.total], [[2], 1]);
  });

  it('answers 400 with the six statuses to an unknown status', async () => {
    const res = await list(await build.business(), { status: 'DRAFT' });

    assert.equal(res.status, 400);
    assert.equal(res.body.error, 'status: debe ser uno de: GENERATED, SENT, WON, LOST, ACCEPTED, REJECTED');
  });

  it('all pages together have each of 45 concurrently created quotes exactly once', async () => {
    const business = await build.business();
    const { id: clientId } = await build.client(business.owner);
    const created = await Promise.all(Array.from({ length: 45 }, () => build.quote(business.owner, { clientId })));

    const pages = await Promise.all(['1', '2', '3'].map((page) => list(business, { page })));

    const ids: string[] = pages.flatMap(({ body }) => body.data.map(({ id }: { id: string }) => id));
    assert.deepEqual(ids.toSorted(), created.map(({ id }) => id).toSorted());
    assert.deepEqual(
      pages.map(({ body }) => body.data.length),
      [20, 20, 5],
    );
  });
});
