import assert from 'node:assert/strict';
import { periodOf, readDashboard } from '../../api/dashboard/read.ts';
import { newId } from '../../db/ids.ts';
import { Client } from '../../db/models/client.ts';
import type { Caller } from '../../domain/caller.ts';
import type { QuoteStatus } from '../../domain/quote-status.ts';
import * as build from './build.ts';
import { type Credential, type Service, service } from './service.ts';

/** The unit price is 100, so the total is 116 times the quantity. */
const items = (quantity: number) => [{ productName: 'Silla', unitPrice: 100, quantity }];

type MadeQuote = readonly [
  createdAt: string,
  clientId: string,
  quantity: number,
  status: QuoteStatus,
  other?: { readonly by?: Credential; readonly currency?: string },
];

/** Quotes in three days of June 2026, in the three days before, and one on each side of these six days. */
async function june() {
  const { deps } = await service();
  const business = await build.business({ timeZone: 'UTC' });
  const { tenantId } = business;
  const carlos = await build.member(business);
  const ana = await build.client(business.owner, { contactName: 'Ana', companyName: 'Aceros' });
  const beto = await build.client(business.owner, { contactName: 'Beto', companyName: null });
  const came = async (id: string, day: string) =>
    deps.withTenant(tenantId, (trx) =>
      Client.query(trx)
        .findOne({ tenantId, id })
        .patch({ createdAt: new Date(`${day}T10:00:00Z`) }),
    );
  await came(ana.id, '2026-06-08');
  await came(beto.id, '2026-06-11');

  const quotes: readonly MadeQuote[] = [
    ['2026-06-06T23:59:59.999Z', ana.id, 10, 'WON'],
    ['2026-06-09T23:59:59.999Z', ana.id, 1, 'WON'],
    ['2026-06-10T00:00:00.000Z', ana.id, 1, 'WON'],
    ['2026-06-10T12:00:00.000Z', ana.id, 2, 'ACCEPTED', { by: carlos.as }],
    ['2026-06-12T10:00:00.000Z', beto.id, 5, 'SENT', { currency: 'USD' }],
    ['2026-06-12T23:59:59.999Z', beto.id, 4, 'LOST'],
    ['2026-06-13T00:00:00.000Z', beto.id, 10, 'WON'],
  ];
  for (const [createdAt, clientId, quantity, status, { by, ...other } = {}] of quotes) {
    const { id } = await build.quote(by ?? business.owner, { clientId, items: items(quantity), ...other });
    await build.patchQuote(business, id, { status, createdAt: new Date(createdAt) });
  }
  return { business, carlos };
}

describe('GET /api/dashboard', () => {
  let app: Service;
  let shown: Awaited<ReturnType<typeof june>>;
  before(async () => {
    app = await service();
    shown = await june();
  });

  const read = ({ owner }: build.Business, query: Record<string, string> = {}) =>
    app.get(`/api/dashboard?${new URLSearchParams(query).toString()}`, owner);
  const inJune = async () => (await read(shown.business, { from: '2026-06-10', to: '2026-06-12' })).body.data;

  it('answers 200 {data} with counts, rates and trends against the previous three days', async () => {
    const res = await read(shown.business, { from: '2026-06-10', to: '2026-06-12' });

    assert.equal(res.status, 200);
    assert.deepEqual(res.body.data.kpis, {
      generated: { value: 4, trend: 300 },
      won: { value: 2, rate: 50, trend: 100 },
      lost: { value: 1, rate: 25, trend: 100 },
      clients: { value: 2, newInPeriod: 1, trend: 0 },
    });
    assert.deepEqual(res.body.data.period, { from: '2026-06-10', to: '2026-06-12', label: 'custom' });
  });

  it('sums only amounts in the currency of the business, as numbers', async () => {
    const { amounts } = await inJune();

    assert.deepEqual(amounts, { quoted: 812, won: 348, prevQuoted: 116 });
  });

  it('lists every day, including days without quotes', async () => {
    const { chartData } = await inJune();

    assert.deepEqual(chartData, [
      { date: '2026-06-10', generated: 2, won: 2, amount: 348 },
      { date: '2026-06-11', generated: 0, won: 0, amount: 0 },
      { date: '2026-06-12', generated: 2, won: 0, amount: 464 },
    ]);
  });

  it('lists the occurring statuses with name and colour', async () => {
    const { statusDistribution } = await inJune();

    assert.deepEqual(statusDistribution, [
      { name: 'Enviadas', value: 1, color: '#2563eb' },
      { name: 'Ganadas', value: 1, color: '#16a34a' },
      { name: 'Perdidas', value: 1, color: '#dc2626' },
      { name: 'Aceptadas', value: 1, color: '#0d9488' },
    ]);
  });

  it('shows the newest quotes of the period, newest first', async () => {
    const { recentQuotes } = await inJune();

    assert.deepEqual(
      recentQuotes.map(({ quoteNumber }: { quoteNumber: number }) => quoteNumber),
      [6, 5, 4, 3],
    );
    const { id: _, ...newest } = recentQuotes[0];
    assert.deepEqual(newest, {
      quoteNumber: 6,
      status: 'LOST',
      total: 464,
      createdAt: '2026-06-12T23:59:59.999Z',
      clientName: 'Beto',
      companyName: null,
    });
  });

  it('ranks clients by quoted amount and shows the activity of each user', async () => {
    const { topClients, collaboratorActivity } = await inJune();

    assert.deepEqual(topClients, [
      { name: 'Beto', company: null, count: 2, total: 464 },
      { name: 'Ana', company: 'Aceros', count: 2, total: 348 },
    ]);
    assert.deepEqual(collaboratorActivity, [
      { userId: shown.business.userId, name: 'Diana', generated: 3, won: 1, lost: 1, amount: 580 },
      { userId: shown.carlos.userId, name: 'Carlos', generated: 1, won: 1, lost: 0, amount: 232 },
    ]);
  });

  it('the query itself limits a collaborator to own quotes without activity', async () => {
    const { tenantId } = shown.business;
    const credential = { kind: 'session', id: newId() } as const;
    const { userId } = shown.carlos;
    const caller: Caller = {
      tenantId,
      userId,
      name: 'Carlos',
      email: 'carlos@example.com',
      role: 'COLLABORATOR',
      plan: 'PRO',
      isVerified: true,
      timeZone: 'UTC',
      country: 'MX',
      credential,
      requestId: 'r',
    };
    const period = periodOf(
      { period: 'month', from: '2026-06-10', to: '2026-06-12' },
      { now: new Date(), timeZone: 'UTC' },
    );

    const data = await app.deps.withTenant(tenantId, (trx) => readDashboard(trx, caller, period));

    assert.deepEqual([data.kpis.generated.value, data.amounts.quoted, data.collaboratorActivity], [1, 232, []]);
    assert.deepEqual(data.topClients, [{ name: 'Ana', company: 'Aceros', count: 1, total: 232 }]);
  });

  it('an empty business gets zeros, never NaN or null', async () => {
    const { body } = await read(await build.business({ timeZone: 'UTC' }), { from: '2026-06-10', to: '2026-06-10' });

    assert.deepEqual(body.data, {
      kpis: {
        generated: { value: 0, trend: 0 },
        won: { value: 0, rate: 0, trend: 0 },
        lost: { value: 0, rate: 0, trend: 0 },
        clients: { value: 0, newInPeriod: 0, trend: 0 },
      },
      amounts: { quoted: 0, won: 0, prevQuoted: 0 },
      chartData: [{ date: '2026-06-10', generated: 0, won: 0, amount: 0 }],
      statusDistribution: [],
      recentQuotes: [],
      topClients: [],
      collaboratorActivity: [],
      period: { from: '2026-06-10', to: '2026-06-10', label: 'custom' },
    });
  });

  it('trends are −100 % when only the previous period had quotes', async () => {
    const { body } = await read(shown.business, { from: '2026-06-14', to: '2026-06-14' });

    assert.deepEqual(body.data.kpis.generated, { value: 0, trend: -100 });
  });

  it('lists at most seven quotes and five clients', async () => {
    // The default is the current month, which could change during the test.
    const yesterday = new Date(Date.now() - 86_400_000).toISOString().slice(0, 10);
    const business = await build.business({ timeZone: 'UTC' });
    for (const quantity of [1, 2, 3, 4, 5, 6, 7, 8]) {
      const { id: clientId } = await build.client(business.owner, { contactName: `C${quantity}` });
      await build.quote(business.owner, { clientId, items: items(quantity) });
    }

    const { data } = (await read(business, { from: yesterday })).body;

    assert.deepEqual(
      data.recentQuotes.map(({ quoteNumber }: { quoteNumber: number }) => quoteNumber),
      [8, 7, 6, 5, 4, 3, 2],
    );
    assert.deepEqual(
      data.topClients.map(({ name }: { name: string }) => name),
      ['C8', 'C7', 'C6', 'C5', 'C4'],
    );
    assert.deepEqual(data.kpis.clients, { value: 8, newInPeriod: 8, trend: 100 });
  });

  it('covers the current month by default, the current day or week with period', async () => {
    const business = await build.business({ timeZone: 'UTC' });
    await build.quote(business.owner);
    const today = new Date().toISOString().slice(0, 10);

    const [month, week, day] = await Promise.all(
      [{}, { period: 'week' }, { period: 'day' }].map((q) => read(business, q)),
    );

    assert.deepEqual(month?.body.data.period, { from: `${today.slice(0, 8)}01`, to: today, label: 'month' });
    assert.equal(week?.body.data.period.label, 'week');
    assert.deepEqual(day?.body.data.period, { from: today, to: today, label: 'day' });
    assert.equal(day?.body.data.kpis.generated.value, 1);
    assert.equal(new Date(week?.body.data.period.from).getUTCDay(), 1);
  });

  it('accepts instants as well as days', async () => {
    const query = { from: '2026-06-10T00:00:00-06:00', to: '2026-06-12T10:00:00Z' };

    const { body } = await read(shown.business, query);

    assert.deepEqual(body.data.kpis.generated.value, 2);
  });

  const refusals: readonly [query: Record<string, string>, error: string][] = [
    [{ period: 'year' }, 'period: debe ser uno de: day, week, month'],
    [{ from: 'ayer' }, 'from: debe ser una fecha y hora ISO 8601'],
    [{ from: '2026-06-12', to: '2026-06-10' }, 'from: debe ser anterior a to'],
    [{ from: '0001-01-01', to: '9999-12-31' }, 'from: debe estar a lo más a 3660 días de to'],
  ];
  for (const [query, error] of refusals) {
    it(`answers 400 «${error}» to ${JSON.stringify(query)}`, async () => {
      const res = await read(shown.business, query);

      assert.deepEqual([res.status, res.body.error], [400, error]);
    });
  }

  it('counts no quotes of another business', async () => {
    const { body } = await read(await build.business({ timeZone: 'UTC' }), { from: '2026-06-10', to: '2026-06-12' });

    assert.equal(body.data.kpis.generated.value, 0);
  });
});
