import assert from 'node:assert/strict';
import { composeExpiryMail } from '../../adapters/mail/expiry-mail.ts';
import { composeQuoteMail } from '../../adapters/mail/quote-mail.ts';
import { readQuoteDrawing } from '../../db/reads/quote-drawing.ts';
import { Signature } from '../../db/models/signature.ts';
import { addDays, startOfDay } from '../../domain/zone.ts';
import { readPdf } from '../adapters/pdf-text.ts';
import { needs } from '../stack.ts';
import * as build from './build.ts';
import { ownService, type Service } from './service.ts';

needs('storage');

const MINUTE_MS = 60_000;

/** A time zone, a day on which quotes expire, its last millisecond, and the day in words. */
const ENDS: readonly [zone: string, day: string, end: string, words: string, why: string][] = [
  ['America/Mexico_City', '2026-12-15', '2026-12-16T05:59:59.999Z', '15 de diciembre de 2026', 'no clock change'],
  ['America/Tijuana', '2026-11-01', '2026-11-02T07:59:59.999Z', '1 de noviembre de 2026', 'clocks back at two'],
  ['America/Tijuana', '2027-03-14', '2027-03-15T06:59:59.999Z', '14 de marzo de 2027', 'clocks forward at two'],
  ['America/Sao_Paulo', '2018-11-04', '2018-11-05T01:59:59.999Z', '4 de noviembre de 2018', 'begins at one'],
  ['America/Sao_Paulo', '2026-12-15', '2026-12-16T02:59:59.999Z', '15 de diciembre de 2026', 'no clock change'],
  ['America/Santiago', '2026-09-06', '2026-09-07T02:59:59.999Z', '6 de septiembre de 2026', 'begins at one'],
  ['America/Santiago', '2026-04-04', '2026-04-05T03:59:59.999Z', '4 de abril de 2026', 'its last hour is repeated'],
  ['Africa/Cairo', '2026-04-24', '2026-04-24T20:59:59.999Z', '24 de abril de 2026', 'begins at one'],
  ['Africa/Cairo', '2026-10-29', '2026-10-29T21:59:59.999Z', '29 de octubre de 2026', 'its last hour is repeated'],
  ['UTC', '2028-02-29', '2028-02-29T23:59:59.999Z', '29 de febrero de 2028', 'a leap day'],
  ['Pacific/Kiritimati', '2027-01-01', '2027-01-01T09:59:59.999Z', '1 de enero de 2027', '14 hours ahead'],
  ['Asia/Kathmandu', '2026-12-31', '2026-12-31T18:14:59.999Z', '31 de diciembre de 2026', 'a quarter of an hour'],
];

describe('Days in the time zone of the business', () => {
  let app: Service;
  /** The clock of the service under test. */
  let now = new Date();
  before(async () => {
    app = await ownService({}, (deps) => ({ ...deps, now: () => now }));
  });

  const textOf = async (path: string, as = {}) => (await readPdf((await app.get(path, as)).bytes)).text;
  /** The page's HTML without the marks that keep a time zone on one line. */
  const pageOf = async (path: string) =>
    (await app.get(path)).bytes.toString().replaceAll(/<span class="whole">(\(UTC[^<]*)<\/span>/g, '$1');

  /** Creates a SENT quote at that time. */
  async function made(business: build.Business, at: Date, fields: Record<string, unknown> = {}) {
    now = at;
    const { id: clientId } = await build.client(business.owner);
    const res = await app.post('/api/quotes', { clientId, items: [build.ITEM], ...fields }, business.owner);
    assert.equal(res.status, 201, JSON.stringify(res.body));
    await build.patchQuote(business, res.body.id, { status: 'SENT' });
    const { publicToken } = res.body;
    return { ...res.body, page: `/p/${publicToken}`, portal: `/api/portal/${publicToken}` };
  }

  async function mailsOf(business: build.Business, quoteId: string): Promise<readonly string[]> {
    const drawing = await app.deps.withTenant(business.tenantId, (trx) => readQuoteDrawing(trx, quoteId));
    assert.ok(drawing);
    const parts = { drawing, portalUrl: null, messageId: '<a@b.mx>' };
    return [composeQuoteMail({ ...parts, pdf: Buffer.from('') }), composeExpiryMail(parts)].flatMap(
      ({ text, html }) => [text, html],
    );
  }

  for (const [timeZone, day, end, words, why] of ENDS) {
    const made15DaysBefore = addDays(day, -15);
    const lastMinute = new Date(startOfDay(addDays(made15DaysBefore, 1), timeZone).getTime() - MINUTE_MS);
    for (const [what, at] of [
      ['00:01', new Date(startOfDay(made15DaysBefore, timeZone).getTime() + MINUTE_MS)],
      ['23:59', lastMinute],
    ] as const) {
      it(`a quote created at ${what} in ${timeZone}, 15 days before ${day} (${why}), is valid to the end of that day`, async () => {
        const business = await build.business({ timeZone });
        const quote = await made(business, at);

        assert.deepEqual([quote.createdAt, quote.expiresAt, quote.validUntil], [at.toISOString(), end, day]);
        const read = await app.get(`/api/quotes/${quote.id}`, business.owner);
        const list = await app.get('/api/quotes', business.owner);
        const seen = await app.get(quote.portal);
        for (const { validUntil, expiresAt, isExpired } of [read.body, list.body.data[0], seen.body]) {
          assert.deepEqual([validUntil, expiresAt, isExpired], [day, end, false]);
        }
      });
    }

    it(`a quote that expires on ${day} in ${timeZone} (${why}) shows that day everywhere, and can be accepted to its end`, async () => {
      const business = await build.business({ timeZone });
      const quote = await made(business, lastMinute);

      const texts = [
        await textOf(`/api/quotes/${quote.id}/pdf`, business.owner),
        await pageOf(quote.page),
        ...(await mailsOf(business, quote.id)),
      ];
      for (const text of texts) {
        assert.ok(text.includes(words), text);
        assert.ok(!text.includes(`${words}, `), 'no hour where a day ends');
      }

      now = new Date(end);
      assert.match(await pageOf(quote.page), /Vence hoy/);
      assert.equal((await app.get(quote.portal)).body.canRespond, true);
      now = new Date(Date.parse(end) + 1);
      assert.match(await pageOf(quote.page), new RegExp(`venció el <time [^>]*>${words}<`));
      const refused = await app.post(`${quote.portal}/accept`, build.SIGNER);
      assert.deepEqual([refused.status, refused.body.error], [410, 'La cotización venció']);
      assert.equal((await app.get(quote.portal)).body.isExpired, true);
      now = new Date(end);
      const accepted = await app.post(`${quote.portal}/accept`, build.SIGNER);
      assert.deepEqual([accepted.status, accepted.body.signedAt], [200, end]);

      const [signature] = await app.deps.withTenant(business.tenantId, (trx) =>
        Signature.query(trx).where({ quoteId: quote.id }),
      );
      assert.ok(signature?.consentText.includes(`vigente hasta el ${words}. `), signature?.consentText);
      const signed = await textOf(`${quote.portal}/pdf`);
      assert.match(signed, new RegExp(`Fecha y hora ${words}, \\d\\d:59:59 \\(UTC`));
      assert.match(await pageOf(quote.page), new RegExp(`${words}, \\d\\d:59 \\(UTC`));
    });
  }

  it('validUntil of create, revise, PATCH and the connector, and the maximum validity, are days of the business', async () => {
    const business = await build.business({ timeZone: 'America/Santiago' });
    const quote = await made(business, new Date('2026-09-05T12:00:00Z'), { validUntil: '2026-09-05' });
    assert.equal(quote.expiresAt, '2026-09-06T03:59:59.999Z');

    const revised = await app.post(
      `/api/quotes/${quote.id}/revise`,
      { clientId: quote.client.id, items: [build.ITEM], validUntil: '2026-09-06' },
      business.owner,
    );
    assert.deepEqual([revised.body.expiresAt, revised.body.validUntil], ['2026-09-07T02:59:59.999Z', '2026-09-06']);

    const changed = await app.patch(`/api/quotes/${quote.id}`, { validUntil: '2027-09-05' }, business.owner);
    assert.deepEqual([changed.status, changed.body.expiresAt], [200, '2027-09-06T02:59:59.999Z']);
    const longer = await app.patch(`/api/quotes/${quote.id}`, { validUntil: '2027-09-06' }, business.owner);
    assert.deepEqual([longer.status, longer.body.error], [400, 'validUntil: debe estar a lo más a 365 días']);

    const template = await app.post('/api/templates', { name: 'Silla', items: [build.ITEM] }, business.owner);
    const fromTemplate = await app.post(
      '/api/connector/actions/create-from-template',
      { templateId: template.body.id, clientId: quote.client.id, validUntil: '2026-09-30' },
      business.owner,
    );
    assert.deepEqual([fromTemplate.status, fromTemplate.body.expiresAt], [201, '2026-10-01T02:59:59.999Z']);
  });

  for (const [what, body, error] of [
    [
      'both',
      { validUntil: '2026-12-20', expiresAt: '2026-12-20T18:00:00Z' },
      'validUntil: no puede enviarse junto con expiresAt',
    ],
    ['yesterday', { validUntil: '2026-12-09' }, 'validUntil: debe estar en el futuro'],
    ['an instant', { validUntil: '2026-12-20T10:00:00Z' }, 'validUntil: debe ser una fecha AAAA-MM-DD'],
    ['an invalid date', { validUntil: '2027-02-29' }, 'validUntil: debe ser una fecha AAAA-MM-DD'],
  ] as const) {
    it(`${what} as validUntil answers 400 «${error}»`, async () => {
      const business = await build.business({ timeZone: 'Pacific/Kiritimati' });
      const { id: clientId } = await build.client(business.owner);
      now = new Date('2026-12-10T01:00:00Z');

      const res = await app.post('/api/quotes', { clientId, items: [build.ITEM], ...body }, business.owner);

      assert.deepEqual([res.status, res.body.error], [400, error]);
    });
  }

  it('an expiry that is not the end of a day is shown with time and zone everywhere', async () => {
    const business = await build.business({ timeZone: 'America/Mexico_City' });
    const quote = await made(business, new Date('2026-12-01T12:00:00Z'), { expiresAt: '2026-12-11T00:30:00Z' });

    assert.equal(quote.validUntil, '2026-12-10');
    for (const text of [
      await textOf(`/api/quotes/${quote.id}/pdf`, business.owner),
      await pageOf(quote.page),
      ...(await mailsOf(business, quote.id)),
    ]) {
      assert.match(text, /10 de diciembre de 2026, 18:30 \(UTC-6\)/);
    }
  });

  it('a new time zone of the business changes the shown day, not the expiry of a quote', async () => {
    const business = await build.business({ timeZone: 'America/Tijuana' });
    const quote = await made(business, new Date('2026-12-01T12:00:00Z'), { validUntil: '2026-12-10' });
    await app.request('PUT', '/api/settings', { body: { timeZone: 'America/Sao_Paulo' }, headers: business.owner });

    const read = await app.get(`/api/quotes/${quote.id}`, business.owner);

    assert.deepEqual([read.body.expiresAt, read.body.validUntil], [quote.expiresAt, '2026-12-11']);
    assert.match(await pageOf(quote.page), /11 de diciembre de 2026, 04:59 \(UTC-3\)/);
  });

  it('only open quotes expire', async () => {
    const business = await build.business();
    const quote = await made(business, new Date('2026-12-01T12:00:00Z'));
    now = new Date('2027-12-01T12:00:00Z');
    for (const [status, isExpired] of [
      ['GENERATED', true],
      ['SENT', true],
      ['WON', false],
      ['LOST', false],
      ['ACCEPTED', false],
      ['REJECTED', false],
    ] as const) {
      await build.patchQuote(business, quote.id, { status });

      const read = await app.get(`/api/quotes/${quote.id}`, business.owner);
      const expired = await app.get('/api/quotes?expired=true', business.owner);
      const valid = await app.get('/api/quotes?expired=false', business.owner);

      const found = [read.body.isExpired, expired.body.total, valid.body.total];
      assert.deepEqual(found, [isExpired, isExpired ? 1 : 0, isExpired ? 0 : 1], status);
    }
  });
});
