import assert from 'node:assert/strict';
import { strFromU8, unzipSync } from 'fflate';
import { readSheet } from 'read-excel-file/node';
import { MAX_XLSX_ROWS } from '../../api/quotes/export-xlsx.ts';
import { dayOf, localTime } from '../../domain/zone.ts';
import * as build from './build.ts';
import { type Credential, type Service, service } from './service.ts';

const ZONE = 'America/Mexico_City';

describe('GET /api/quotes/export.xlsx', () => {
  let app: Service;
  before(async () => {
    app = await service();
  });

  const download = (as: Credential, query = '') => app.get(`/api/quotes/export.xlsx${query}`, as);
  const sheetOf = async (as: Credential, query = '') => {
    const { bytes } = await download(as, query);
    return readSheet(bytes);
  };
  it('answers 200 with an XLSX file that has the columns of the CSV file', async () => {
    const { owner } = await build.business();

    const res = await download(owner);

    assert.equal(res.status, 200);
    assert.equal(res.headers.get('content-type'), 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet');
    assert.equal(res.headers.get('content-disposition'), 'attachment; filename="cotizaciones.xlsx"');
    assert.equal(res.headers.get('cache-control'), 'private, no-store');
    const csv = (await app.get('/api/quotes/export.csv', owner)).bytes.toString();
    assert.deepEqual(await readSheet(res.bytes), [csv.replace('\uFEFF', '').trim().split(',')]);
  });

  it('has one row per quote, with amounts as numbers and dates as clocks of the business show them', async () => {
    const { owner } = await build.business();
    const quote = await build.quote(owner, {
      shippingCost: 9.5,
      notes: 'Dos líneas:\nuna, "otra"',
      title: 'Oficina',
      reference: 'OC-1',
    });
    await build.quote(owner, { clientId: quote.client.id });

    const [, second, first = []] = await sheetOf(owner);

    assert.equal(second?.[0], 2);
    const { createdAt, expiresAt } = (await app.get(`/api/quotes/${quote.id}`, owner)).body;
    const { companyName, email, phone } = (await app.get(`/api/clients/${quote.client.id}`, owner)).body;
    const clock = (at: string) => new Date(`${dayOf(new Date(at), ZONE)}T${localTime(new Date(at), ZONE).time}Z`);
    // A spreadsheet stores dates as fractions of days.
    const read = first.map((cell) =>
      cell instanceof Date ? new Date(Math.round(cell.getTime() / 1000) * 1000) : cell,
    );
    assert.deepEqual(read, [
      1, 'GENERATED', 1, 'Laura Méndez', companyName, email, phone, 'Diana',
      'MXN', 200, 32, 9.5, 241.5, 1, 'Dos líneas:\nuna, "otra"', clock(createdAt), clock(expiresAt),
      new Date(dayOf(new Date(expiresAt), ZONE)), 'COT-1', 'Oficina', 'OC-1', 0,
    ]); // prettier-ignore
  });

  it('keeps texts that look like formulas, escapes or built-in names as texts, unchanged', async () => {
    const { owner } = await build.business();
    const texts = ['=HYPERLINK("http://x")', '+1', '-1', '@a', '_x0041_', 'constructor', '__proto__', '1e5', '007'];
    for (const companyName of texts) {
      const { id: clientId } = await build.client(owner, { companyName });
      await build.quote(owner, { clientId });
    }

    const { bytes } = await download(owner);

    const [, ...read] = await readSheet(bytes);
    assert.deepEqual(read.map((row) => row[4]).reverse(), texts);
    const xml = Object.entries(unzipSync(bytes)).map(([name, file]) => `${name} ${strFromU8(file)}`);
    assert.ok(xml.some((text) => text.includes('HYPERLINK')));
    assert.deepEqual(
      xml.filter((text) => /<f[ >]/.test(text) && text.startsWith('xl/worksheets')),
      [],
    );
  });

  it('formats amounts with the decimals of their currency', async () => {
    const { owner } = await build.business({ plan: 'PRO' });
    for (const currency of ['CLP', 'KWD']) await build.quote(owner, { currency });

    const xml = strFromU8(unzipSync((await download(owner)).bytes)['xl/styles.xml'] ?? new Uint8Array());

    for (const format of ['#,##0.000', 'yyyy-mm-dd hh:mm', 'yyyy-mm-dd'])
      assert.ok(xml.includes(`formatCode="${format}"`), `${format} is not in ${xml}`);
  });

  it('supports the filters of the list', async () => {
    const business = await build.business();
    const { id } = await build.quote(business.owner);
    await build.quote(business.owner, { reference: 'OC-7' });
    await build.patchQuote(business, id, { status: 'SENT' });

    const read = [
      await sheetOf(business.owner, '?status=SENT&search=laura&minTotal=1'),
      await sheetOf(business.owner, '?reference=OC-7'),
    ];

    assert.deepEqual(read.map(([, ...found]) => found.map(([number]) => number)), [[1], [2]]); // prettier-ignore
  });

  it('has only own quotes for a collaborator', async () => {
    const business = await build.business();
    const carlos = await build.member(business);
    await build.quote(business.owner);
    await build.quote(carlos.as);

    const [, ...read] = await sheetOf(carlos.as);

    assert.deepEqual(read.map(([number]) => number), [2]); // prettier-ignore
  });

  it('answers 400 «status: debe ser uno de: …» as the list does', async () => {
    const res = await download((await build.business()).owner, '?status=DRAFT');

    assert.equal(res.status, 400);
    assert.match(res.body.error, /^status: debe ser uno de: /);
  });

  it('PATCH /api/quotes/export.xlsx answers 405 «Método no permitido» with Allow', async () => {
    const { owner } = await build.business();

    const res = await app.request('PATCH', '/api/quotes/export.xlsx', { headers: owner, body: {} });

    assert.deepEqual([res.status, res.body.error], [405, 'Método no permitido']);
    assert.equal(res.headers.get('allow'), 'GET, HEAD');
  });

  it('more than one batch has each quote exactly once', async () => {
    const business = await build.business();
    await build.quote(business.owner);
    await app.deps.withTenant(business.tenantId, (trx) =>
      trx.raw(
        `insert into quotes (id, tenant_id, quote_number, client_id, client_contact_name, user_id, currency, tax_rate,
           subtotal, tax, shipping_cost, total, expires_at, public_token_hash, public_token_sealed)
         select id || n, tenant_id, n, client_id, client_contact_name, user_id, currency, tax_rate,
           subtotal, tax, shipping_cost, total, expires_at, public_token_hash || n, public_token_sealed
         from quotes, generate_series(2, 1001) n where tenant_id = ?`,
        [business.tenantId],
      ),
    );

    const [, ...read] = await sheetOf(business.owner);

    assert.deepEqual(
      read.map(([number]) => number),
      Array.from({ length: 1001 }, (_, index) => 1001 - index),
    );
  });

  it(`of more than ${MAX_XLSX_ROWS} quotes answers 400 «… filtre o use CSV», and 200 with a filter`, async () => {
    const { owner, tenantId } = await build.business();
    await build.quote(owner);
    // The counter is what counts the quotes of a business, because quotes are never deleted.
    await app.deps.withTenant(tenantId, (trx) =>
      trx('quoteCounters')
        .update({ lastNumber: MAX_XLSX_ROWS + 1 })
        .where({ tenantId }),
    );

    const [all, some] = [await download(owner), await download(owner, '?status=GENERATED')];

    assert.deepEqual(
      [all.status, all.body.reason, all.body.error, some.status],
      [
        400,
        'export_too_large',
        `La exportación tiene ${MAX_XLSX_ROWS + 1} cotizaciones y un XLSX admite ${MAX_XLSX_ROWS}: filtre o use CSV`,
        200,
      ],
    );
  });
});
