import assert from 'node:assert/strict';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { newId } from '../../db/ids.ts';
import { startOfDay } from '../../domain/zone.ts';
import * as build from './build.ts';
import { type Service, service } from './service.ts';

/** A time zone and a day with a clock change, with its first and last instant and its length. */
const DAYS: readonly [zone: string, day: string, first: string, last: string][] = [
  ['America/Tijuana', '2026-03-08', '2026-03-08T08:00:00.000Z', '2026-03-09T06:59:59.999Z'],
  ['America/Santiago', '2026-04-04', '2026-04-04T03:00:00.000Z', '2026-04-05T03:59:59.999Z'],
  ['Africa/Cairo', '2026-04-24', '2026-04-23T22:00:00.000Z', '2026-04-24T20:59:59.999Z'],
  ['Pacific/Kiritimati', '2026-01-01', '2025-12-31T10:00:00.000Z', '2026-01-01T09:59:59.999Z'],
  ['America/Mexico_City', '2026-06-10', '2026-06-10T06:00:00.000Z', '2026-06-11T05:59:59.999Z'],
];

describe('Dates in queries', () => {
  let app: Service;
  before(async () => {
    app = await service();
  });

  const read = (path: string, query: Record<string, string>, { owner }: build.Business) =>
    app.get(`${path}?${new URLSearchParams(query).toString()}`, owner);

  /** Four quotes, numbers 1 to 4: just before a day, in its first and last millisecond, and just after it. */
  async function aroundDay(timeZone: string, first: string, last: string): Promise<build.Business> {
    const business = await build.business({ timeZone });
    const { id: clientId } = await build.client(business.owner);
    for (const at of [Date.parse(first) - 1, Date.parse(first), Date.parse(last), Date.parse(last) + 1]) {
      const { id } = await build.quote(business.owner, { clientId });
      await build.patchQuote(business, id, { createdAt: new Date(at) });
    }
    return business;
  }
  const numbersOf = (entries: readonly { quoteNumber: number }[]) => entries.map(({ quoteNumber }) => quoteNumber);

  for (const [timeZone, day, first, last] of DAYS) {
    it(`${day} in ${timeZone} is its first to last millisecond in lists, export, pipeline and dashboard`, async () => {
      const business = await aroundDay(timeZone, first, last);
      const query = { from: day, to: day };

      const [list, pipeline, csv, dashboard] = await Promise.all([
        read('/api/quotes', query, business),
        read('/api/pipeline', query, business),
        read('/api/quotes/export.csv', query, business),
        read('/api/dashboard', query, business),
      ]);

      assert.deepEqual(numbersOf(list.body.data), [3, 2]);
      assert.deepEqual(numbersOf(pipeline.body.data), [3, 2]);
      assert.equal(csv.bytes.toString().trim().split('\r\n').length, 3);
      const { kpis, chartData, period } = dashboard.body.data;
      assert.equal(kpis.generated.value, 2);
      assert.deepEqual(chartData, [{ date: day, generated: 2, won: 0, amount: 464 }]);
      assert.deepEqual(period, { from: day, to: day, label: 'custom' });
    });

    it(`${day} in ${timeZone} is its first to last millisecond in the audit log`, async () => {
      const { tenantId, userId, ...business } = await build.business({ timeZone });
      const entry = { tenantId, userId, actor: 'user', action: 'update', entity: 'product', metadata: '{}' };
      const moments = [Date.parse(first) - 1, Date.parse(first), Date.parse(last), Date.parse(last) + 1];
      const entries = moments.map((at, n) => ({ ...entry, id: newId(), entityId: `p${n}`, createdAt: new Date(at) }));
      await app.deps.withTenant(tenantId, (trx) => trx('auditLogs').insert(entries));

      const res = await read('/api/audit-logs', { from: day, to: day }, { tenantId, userId, ...business });

      assert.deepEqual(
        res.body.data.map(({ entityId }: { entityId: string }) => entityId),
        ['p2', 'p1'],
      );
    });
  }

  it('the chart of a period with both clock changes has each quote on its day', async () => {
    const timeZone = 'America/Santiago';
    const business = await build.business({ timeZone });
    const { id: clientId } = await build.client(business.owner);
    const days = ['2026-04-03', '2026-04-04', '2026-04-05', '2026-09-05', '2026-09-06', '2026-09-07'];
    for (const day of days) {
      const { id } = await build.quote(business.owner, { clientId });
      await build.patchQuote(business, id, { createdAt: startOfDay(day, timeZone) });
    }

    const { chartData } = (await read('/api/dashboard', { from: '2026-04-01', to: '2026-09-30' }, business)).body.data;

    assert.equal(chartData.length, 183);
    const made = chartData.filter(({ generated }: { generated: number }) => generated > 0);
    assert.deepEqual(
      made.map(({ date, generated }: { date: string; generated: number }) => [date, generated]),
      days.map((day) => [day, 1]),
    );
  });

  for (const [from, to, numbers] of [
    ['2026-06-10T00:00:00', '2026-06-10T23:59:59.999', [3, 2]],
    ['2026-06-10T00:00', '2026-06-10T23:59', [2]],
    ['20260610T000000', '20260611T000000', [4, 3, 2]],
    ['2026-06-10T06:00:00Z', '2026-06-10T23:59:59,999-06', [3, 2]],
    ['2026-06-09T23:59:59.999', '2026-06-11', [4, 3, 2, 1]],
  ] as const) {
    it(`local times of ISO 8601 are accepted: from ${from} to ${to}`, async () => {
      const business = await aroundDay('America/Mexico_City', '2026-06-10T06:00:00.000Z', '2026-06-11T05:59:59.999Z');

      for (const path of ['/api/quotes', '/api/pipeline']) {
        assert.deepEqual(numbersOf((await read(path, { from, to }, business)).body.data), numbers);
      }
      const dashboard = await read('/api/dashboard', { from, to }, business);
      assert.equal(dashboard.body.data.kpis.generated.value, numbers.length);
    });
  }

  for (const text of [
    'ayer',
    '2026-02-30',
    '2026-06-10T25:00',
    '10/06/2026',
    '2026-06-10T10:00[UTC]',
    '2026-06-10T10:00:60Z',
  ]) {
    it(`answers 400 to ${text}`, async () => {
      const business = await build.business();

      for (const path of ['/api/quotes', '/api/pipeline', '/api/dashboard']) {
        const res = await read(path, { from: text }, business);
        assert.deepEqual([res.status, res.body.error], [400, 'from: debe ser una fecha y hora ISO 8601'], path);
      }
    });
  }

  it('an empty date counts as absent', async () => {
    const business = await aroundDay('UTC', '2026-06-10T00:00:00.000Z', '2026-06-10T23:59:59.999Z');

    for (const [path, query] of [
      ['/api/quotes', { status: '', page: '', limit: '', from: '', to: '', expired: '', sort: '' }],
      ['/api/pipeline', { userId: '', from: '', minAmount: '', maxAmount: '' }],
      ['/api/notifications', { page: '', unread: '', limit: '' }],
      ['/api/clients', { search: '', active: '', page: '' }],
      ['/api/dashboard', { period: '', from: '', to: '' }],
      ['/api/audit-logs', { action: '', entity: '', userId: '', page: '' }],
    ] as const) {
      const [empty, absent] = [await read(path, query, business), await read(path, {}, business)];
      assert.deepEqual([empty.status, empty.body], [200, absent.body], path);
    }
  });

  it('no SQL statement converts time zones', async () => {
    const found: string[] = [];
    for (const folder of ['api', 'db/reads', 'db/writes', 'activities', 'worker', 'ops']) {
      for (const file of await sourcesIn(folder)) {
        const source = await readFile(file, 'utf8');
        // Allowed: texts of instants for signatures and seals are in UTC.
        const days = source.match(/at time zone (?!'UTC')|date_trunc\('(?:day|week|month)'|::date\b|current_date/gi);
        if (days) found.push(`${file}: ${days.join(', ')}`);
      }
    }

    assert.deepEqual(found, []);
  });
});

describe('Money in the audit log', () => {
  it('is a decimal string, in whatever form an entry stores it', async () => {
    const app = await service();
    const { tenantId, userId, owner } = await build.business();
    const entry = { tenantId, userId, actor: 'user', action: 'update', entity: 'quote' };
    const written: readonly [string, object, object][] = [
      ['a', { total: '2481.330', currency: 'MXN' }, { total: '2481.33', currency: 'MXN' }],
      ['b', { before: { total: 2481.33, currency: 'MXN' } }, { before: { total: '2481.33', currency: 'MXN' } }],
      ['c', { after: { unitPrice: 9.5, shippingCost: '9.5' } }, { after: { unitPrice: '9.50', shippingCost: '9.50' } }],
      ['d', { total: 1.5, currency: 'KWD' }, { total: '1.500', currency: 'KWD' }],
      ['e', { items: [{ unitPrice: 0.125, quantity: 2 }] }, { items: [{ unitPrice: '0.125', quantity: 2 }] }],
      ['f', { total: 'nada', quoteNumber: 12, currency: null }, { total: 'nada', quoteNumber: 12, currency: null }],
    ];
    const rows = written.map(([entityId, metadata]) => ({
      ...entry,
      id: newId(),
      entityId,
      metadata: JSON.stringify(metadata),
    }));
    await app.deps.withTenant(tenantId, (trx) => trx('auditLogs').insert(rows));

    const { body } = await app.get('/api/audit-logs?entity=quote', owner);

    const shown = new Map<string, object>(
      body.data.map((row: { entityId: string; metadata: object }) => [row.entityId, row.metadata]),
    );
    for (const [entityId, , expected] of written) assert.deepEqual(shown.get(entityId), expected);
  });

  it('has the same form for create, revise, product prices and templates', async () => {
    const app = await service();
    const { owner } = await build.business();
    const quote = await build.quote(owner, { shippingCost: 9.5 });
    await app.post(`/api/quotes/${quote.id}/revise`, { clientId: quote.client.id, items: [build.ITEM] }, owner);
    const product = await app.post('/api/products', { name: 'Silla', unitPrice: 9.5 }, owner);
    await app.patch(`/api/products/${product.body.id}`, { unitPrice: 10 }, owner);
    const template = await app.post('/api/templates', { name: 'Base', items: [build.ITEM], shippingCost: 5 }, owner);
    await app.patch(`/api/templates/${template.body.id}`, { shippingCost: 7.25 }, owner);

    const { body } = await app.get('/api/audit-logs?limit=100', owner);

    const text = JSON.stringify(body.data.map(({ metadata }: { metadata: object }) => metadata));
    const amounts = [...text.matchAll(/"(?:total|shippingCost|unitPrice)":([^,}]+)/g)].map(([, amount]) =>
      String(amount),
    );
    assert.deepEqual(
      amounts.toSorted((a, b) => Number(JSON.parse(a)) - Number(JSON.parse(b))),
      ['"5.00"', '"7.25"', '"9.50"', '"9.50"', '"10.00"', '"232.00"', '"241.50"', '"241.50"'],
    );
  });
});

const sourcesIn = async (folder: string): Promise<readonly string[]> =>
  (await readdir(folder, { recursive: true })).filter((name) => name.endsWith('.ts')).map((name) => join(folder, name));
