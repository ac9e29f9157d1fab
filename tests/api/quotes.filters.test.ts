import assert from 'node:assert/strict';
import { newId } from '../../db/ids.ts';
import * as build from './build.ts';
import { type Credential, type Service, service } from './service.ts';

/** Five quotes for two clients, created on 1 to 5 November 2026 with totals of 116 to 580; the second is by Carlos. */
async function fiveQuotes() {
  const business = await build.business();
  const carlos = await build.member(business);
  const [ana, beto] = [await build.client(business.owner), await build.client(business.owner)];
  const ids: string[] = [];
  for (const n of [1, 2, 3, 4, 5]) {
    const items = [{ productName: 'Silla', unitPrice: 100, quantity: n }];
    const as = n === 2 ? carlos.as : business.owner;
    const { id } = await build.quote(as, { clientId: n < 4 ? ana.id : beto.id, items });
    await build.patchQuote(business, id, { createdAt: new Date(`2026-11-0${n}T12:00:00.000Z`) });
    ids.push(id);
  }
  await build.patchQuote(business, ids[4] ?? '', { expiresAt: new Date(Date.now() - 1_000) });
  return { business, carlos, ana, beto, ids };
}

describe('GET /api/quotes: filters and orders', () => {
  let app: Service;
  let five: Awaited<ReturnType<typeof fiveQuotes>>;
  before(async () => {
    app = await service();
    five = await fiveQuotes();
  });

  const list = (query: Record<string, string>, as: Credential = five.business.owner) =>
    app.get(`/api/quotes?${new URLSearchParams(query).toString()}`, as);
  const numbersOf = ({ body }: Awaited<ReturnType<typeof list>>) =>
    body.data.map(({ quoteNumber }: { quoteNumber: number }) => quoteNumber);

  const cases: readonly [what: string, query: () => Record<string, string>, finds: readonly number[]][] = [
    ['clientId', () => ({ clientId: five.beto.id }), [5, 4]],
    ['an unknown clientId', () => ({ clientId: newId() }), []],
    ['userId', () => ({ userId: five.carlos.userId }), [2]],
    ['from, a day', () => ({ from: '2026-11-04' }), [5, 4]],
    ['from, the exact time', () => ({ from: '2026-11-04T12:00:00Z' }), [5, 4]],
    ['from, a millisecond later', () => ({ from: '2026-11-04T12:00:00.001Z' }), [5]],
    ['to, a day through its end', () => ({ to: '2026-11-02' }), [2, 1]],
    ['to, the exact time', () => ({ to: '2026-11-02T12:00:00Z' }), [2, 1]],
    ['to, in another time zone', () => ({ to: '2026-11-02T05:59:59-06:00' }), [1]],
    ['from and to', () => ({ from: '2026-11-02', to: '2026-11-03' }), [3, 2]],
    ['from after to', () => ({ from: '2026-11-03', to: '2026-11-02' }), []],
    ['the minimum year', () => ({ from: '0000-01-01' }), [5, 4, 3, 2, 1]],
    ['the maximum time', () => ({ to: '9999-12-31T23:59:59.999-23:59' }), [5, 4, 3, 2, 1]],
    ['minTotal, inclusive', () => ({ minTotal: '464' }), [5, 4]],
    ['maxTotal, inclusive', () => ({ maxTotal: '232.00' }), [2, 1]],
    ['expired=true', () => ({ expired: 'true' }), [5]],
    ['expired=false', () => ({ expired: 'false' }), [4, 3, 2, 1]],
    ['several filters', () => ({ clientId: five.ana.id, minTotal: '232', status: 'GENERATED' }), [3, 2]],
    ['sort=quoteNumber', () => ({ sort: 'quoteNumber' }), [1, 2, 3, 4, 5]],
    ['sort=total', () => ({ sort: 'total' }), [1, 2, 3, 4, 5]],
    ['sort=-total', () => ({ sort: '-total' }), [5, 4, 3, 2, 1]],
    ['sort=createdAt', () => ({ sort: 'createdAt' }), [1, 2, 3, 4, 5]],
    ['sort=-createdAt', () => ({ sort: '-createdAt' }), [5, 4, 3, 2, 1]],
    ['sort=expiresAt', () => ({ sort: 'expiresAt' }), [5, 1, 2, 3, 4]],
    ['sort=-expiresAt', () => ({ sort: '-expiresAt' }), [4, 3, 2, 1, 5]],
    ['a page of a sorted list', () => ({ sort: 'total', limit: '2', page: '2' }), [3, 4]],
  ];
  for (const [what, query, finds] of cases) {
    it(`finds ${finds.join(', ') || 'nothing'} for ${what}`, async () => {
      const res = await list(query());

      assert.equal(res.status, 200);
      assert.deepEqual(numbersOf(res), finds);
    });
  }

  it('total counts the matching quotes', async () => {
    const res = await list({ from: '2026-11-02', limit: '1' });

    assert.deepEqual([res.body.total, res.body.totalPages, res.body.data.length], [4, 4, 1]);
  });

  it('finds the quotes with a label, and shows the label in the list and in the single read', async () => {
    const { owner } = five.business;
    const { body: label } = await app.post('/api/labels', { name: 'Urgente', color: '#ff0000' }, owner);
    await app.post(`/api/quotes/${five.ids[2]}/labels/${label.id}`, undefined, owner);

    const res = await list({ labelId: label.id });

    const { createdAt: _, ...shown } = label;
    assert.deepEqual(numbersOf(res), [3]);
    assert.deepEqual(res.body.data[0].labels, [shown]);
    assert.deepEqual((await app.get(`/api/quotes/${five.ids[2]}`, owner)).body.labels, [shown]);
  });

  it('a collaborator gets no quotes for another userId', async () => {
    const res = await list({ userId: five.business.userId }, five.carlos.as);

    assert.deepEqual([res.status, res.body.data, res.body.total], [200, [], 0]);
  });

  const refusals: readonly [query: Record<string, string>, error: string][] = [
    [{ from: 'ayer' }, 'from: debe ser una fecha y hora ISO 8601'],
    [{ from: '2026-02-30' }, 'from: debe ser una fecha y hora ISO 8601'],
    [{ to: '2026-06-30T23:59:60Z' }, 'to: debe ser una fecha y hora ISO 8601'],
    [{ minTotal: '-1' }, 'minTotal: debe ser mayor o igual que 0'],
    [{ minTotal: 'NaN' }, 'minTotal: debe ser un número'],
    [{ maxTotal: '1e309' }, 'maxTotal: debe ser un número'],
    [{ maxTotal: '1e12' }, 'maxTotal: debe ser menor o igual que 9999999999.99'],
    [{ minTotal: '0.0001' }, 'minTotal: debe tener como máximo 3 decimales'],
    [{ expired: 'quizá' }, 'expired: debe ser verdadero o falso'],
    [{ clientId: 'x'.repeat(65) }, 'clientId: debe tener como máximo 64 caracteres'],
    [{ labelId: '\u0000' }, 'labelId: contiene caracteres no permitidos'],
    [
      { sort: 'total desc' },
      'sort: debe ser uno de: -quoteNumber, quoteNumber, -createdAt, createdAt, -expiresAt, expiresAt, -total, total',
    ],
  ];
  for (const [query, error] of refusals) {
    it(`answers 400 «${error}» to ${JSON.stringify(query).slice(0, 60)}`, async () => {
      const res = await list(query);

      assert.deepEqual([res.status, res.body.error], [400, error]);
    });
  }

  it('answers 400 to a repeated filter', async () => {
    const res = await app.get('/api/quotes?userId=a&userId=b', five.business.owner);

    assert.deepEqual([res.status, res.body.error], [400, 'userId: debe ser texto']);
  });

  it('finds quotes of more clients than the threshold of the index look-up', async () => {
    const { tenantId, owner } = await build.business();
    await app.deps.withTenant(tenantId, async (trx) => {
      const many = Array.from({ length: 201 }, (_, i) => ({ id: newId(), tenantId, contactName: `Común ${i}` }));
      await trx('clients').insert(many);
    });
    const named = await build.client(owner, { contactName: 'El común' });
    await build.quote(owner);
    await build.quote(owner, { clientId: named.id });

    const res = await list({ search: 'COMUN' }, owner);

    assert.deepEqual([numbersOf(res), res.body.total], [[2], 1]);
  });

  it('the search function sees only clients of the transaction’s business, by name and e-mail', async () => {
    const mine = await build.business();
    const other = await build.business();
    const { id } = await build.client(mine.owner, { contactName: 'Única Búsqueda', email: 'unica@cliente.test' });
    const found = ({ tenantId }: build.Business, lookup: string, pattern: string) =>
      app.deps.withTenant(tenantId, async (trx) => {
        const { rows } = await trx.raw<{ rows: { client_id: string }[] }>(`select client_id from ${lookup}(?)`, [
          pattern,
        ]);
        return rows.map(({ client_id: clientId }) => clientId);
      });

    assert.deepEqual(await found(mine, 'find_clients_by_name', '%unica bus%'), [id]);
    assert.deepEqual(await found(mine, 'find_clients_by_text', '%unica@%'), [id]);
    assert.deepEqual(await found(other, 'find_clients_by_name', '%unica bus%'), []);
    assert.deepEqual(await found(other, 'find_clients_by_text', '%unica@%'), []);
  });
});
