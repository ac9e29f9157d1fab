import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { composeExpiryMail } from '../../adapters/mail/expiry-mail.ts';
import { composeQuoteMail } from '../../adapters/mail/quote-mail.ts';
import { OutboxEvent } from '../../db/models/outbox-event.ts';
import { readQuoteDrawing } from '../../db/reads/quote-drawing.ts';
import type { Locale } from '../../domain/locale.ts';
import { readPdf } from '../adapters/pdf-text.ts';
import { needs } from '../stack.ts';
import * as build from './build.ts';
import { type Response, type Service, service } from './service.ts';

needs('storage');

const UNKNOWN = 'locale: debe ser uno de: es-MX, en-US, pt-BR';
const TITLES: Readonly<Record<Locale, string>> = {
  'es-MX': 'Cotización COT-1',
  'en-US': 'Quote COT-1',
  'pt-BR': 'Orçamento COT-1',
};

describe('the language of PDF, mails and page', () => {
  let app: Service;
  let form: Record<string, string>;
  before(async () => {
    app = await service();
    form = {
      'Content-Type': 'application/x-www-form-urlencoded',
      Origin: new URL(app.deps.config.PUBLIC_URL).origin,
    };
  });

  const sha256 = (content: Buffer | string) => createHash('sha256').update(content).digest('hex');
  const html = ({ bytes }: Response) => bytes.toString();
  const setLocale = ({ owner }: build.Business, locale: Locale) =>
    app.request('PUT', '/api/settings', { headers: owner, body: { locale } });
  const languageOf = async (page: string) => /<html lang="([^"]+)"/.exec(html(await app.get(page)))?.[1];
  const titleOf = async (path: string, headers = {}) =>
    (await readPdf((await app.get(path, headers)).bytes)).info['Title'];
  const submit = (path: string, fields: Record<string, string>) =>
    app.request('POST', path, { headers: form, body: new URLSearchParams(fields).toString() });

  /** A sent quote of a client with this language. */
  async function quoteOf(business: build.Business, locale?: Locale | null) {
    const { id: clientId } = await build.client(business.owner, locale === undefined ? {} : { locale });
    return { ...(await build.sentQuote(business, { clientId })), clientId };
  }

  for (const [settings, client, shown] of [
    [undefined, undefined, 'es-MX'],
    ['en-US', undefined, 'en-US'],
    ['en-US', null, 'en-US'],
    ['en-US', 'pt-BR', 'pt-BR'],
    ['pt-BR', 'es-MX', 'es-MX'],
  ] as const) {
    it(`is ${shown} if settings.locale is ${settings ?? 'not set'} and client.locale is ${client ?? 'not set'}`, async () => {
      const business = await build.business();
      if (settings) await setLocale(business, settings);
      const { id, page, portal } = await quoteOf(business, client);

      const drawing = await app.deps.withTenant(business.tenantId, (trx) => readQuoteDrawing(trx, id));
      assert.ok(drawing);
      const mail = { drawing, portalUrl: null, messageId: '<a@b.mx>' };
      const mails = [composeQuoteMail({ ...mail, pdf: Buffer.from('') }), composeExpiryMail(mail)];

      assert.equal(await titleOf(`/api/quotes/${id}/pdf`, business.owner), TITLES[shown]);
      assert.equal(await titleOf(`${portal}/pdf`), TITLES[shown]);
      assert.equal(await languageOf(page), shown);
      assert.deepEqual(
        mails.map(({ locale }) => locale),
        [shown, shown],
      );
    });
  }

  it('is that of ?lang= on the page and its PDF, and links and forms keep it', async () => {
    const { page, portal } = await quoteOf(await build.business(), 'pt-BR');

    const text = html(await app.get(`${page}?lang=en-US`));

    assert.match(text, /<html lang="en-US"/);
    assert.match(text, /Accept quote/);
    for (const path of ['pdf', 'accept', 'reject']) assert.ok(text.includes(`"${page}/${path}?lang=en-US"`), path);
    assert.equal(await titleOf(`${page}/pdf?lang=en-US`), TITLES['en-US']);
    assert.equal(await titleOf(`${portal}/pdf?lang=en-US`), TITLES['en-US']);
  });

  for (const lang of ['fr', 'en', 'es-mx', '', '%22%3E%3Cb%3E']) {
    it(`ignores ?lang=${lang}`, async () => {
      const { page, portal } = await quoteOf(await build.business(), 'pt-BR');

      const res = await app.get(`${page}?lang=${lang}`);

      assert.equal(res.status, 200);
      assert.match(html(res), /<html lang="pt-BR"/);
      assert.ok(html(res).includes(`action="${page}/accept"`));
      assert.equal(await titleOf(`${portal}/pdf?lang=${lang}`), TITLES['pt-BR']);
    });
  }

  it('ignores a repeated ?lang=', async () => {
    const { page } = await quoteOf(await build.business(), 'pt-BR');

    assert.equal(await languageOf(`${page}?lang=en-US&lang=es-MX`), 'pt-BR');
  });

  it('of a page without a quote is that of ?lang=, else the browser’s, else Spanish', async () => {
    const lost = `/p/${'A'.repeat(43)}`;
    const titles: (string | undefined)[] = [];
    for (const [path, accept] of [
      [lost, '*'],
      [lost, 'fr-FR,fr;q=0.9'],
      [lost, 'en-GB,en;q=0.9'],
      [lost, 'pt-BR,pt;q=0.9,en;q=0.8'],
      [`${lost}?lang=pt-BR`, 'en-US'],
    ] as const) {
      const res = await app.request('GET', path, { headers: { 'Accept-Language': accept } });
      assert.equal(res.status, 404);
      titles.push(/<h1>([^<]+)/.exec(html(res))?.[1]);
    }

    const spanish = 'Cotización no encontrada';
    assert.deepEqual(titles, [
      spanish,
      spanish,
      'Quote not found',
      'Orçamento não encontrado',
      'Orçamento não encontrado',
    ]);
  });

  it('stays the same on a refused form and after an accepted one', async () => {
    const { page } = await quoteOf(await build.business());
    const fields = { signerName: 'Laura', signerEmail: 'laura@cliente.test', version: '1', locale: 'en-US' };

    const refused = await submit(`${page}/accept?lang=en-US`, { ...fields, signerEmail: 'josé@example.com' });
    const accepted = await submit(`${page}/accept?lang=en-US`, { ...fields, consent: 'si' });

    assert.equal(refused.status, 400);
    for (const words of ['Check the box to accept.', 'Only letters without accents', 'Please check the following'])
      assert.ok(html(refused).includes(words), words);
    assert.deepEqual([accepted.status, accepted.headers.get('Location')], [303, `${page}?lang=en-US`]);
  });

  for (const [name, text] of [
    ['accepted', /Signed by .*Laura Méndez.* on .*\(UTC-6\).*\. Keep the signed document/s],
    ['rejected', /Quote declined.*It was declined on .*Reason: “<bdi>Too expensive<\/bdi>”.*Changed your mind\?/s],
    ['expired', /This quote expired on .*It can no longer be accepted online\./s],
    ['closed', /This quote is closed.*It can no longer be answered online\./s],
  ] as const) {
    it(`is used for the banner of a quote that is ${name}`, async () => {
      const business = await build.business();
      const { id, page, portal } = await quoteOf(business, 'en-US');
      if (name === 'accepted') await app.post(`${portal}/accept`, build.SIGNER);
      if (name === 'rejected') await app.post(`${portal}/reject`, { reason: 'Too expensive' });
      if (name === 'expired') await build.patchQuote(business, id, { expiresAt: new Date(Date.now() - 1000) });
      if (name === 'closed') await build.patchQuote(business, id, { status: 'WON' });

      assert.match(html(await app.get(page)), text);
    });
  }

  describe('of a signed quote', () => {
    const evidenceOf = async ({ owner }: build.Business, id: string) =>
      (await app.get(`/api/quotes/${id}/signature/evidence`, owner)).body;

    it('is the client’s in consent text, certificate and evidence', async () => {
      const business = await build.business();
      const { id, portal } = await quoteOf(business, 'pt-BR');
      await app.post(`${portal}/accept`, build.SIGNER);

      const evidence = await evidenceOf(business, id);
      const certificate = (await readPdf((await app.get(`${portal}/pdf`)).bytes)).pages.at(-1) ?? '';

      assert.equal(evidence.consentLocale, 'pt-BR');
      assert.match(evidence.consentText, /^Aceito o orçamento COT-1, versão 1, no valor total de \$\u00a0232,00 MXN/);
      assert.ok(certificate.includes('Comprovante de assinatura'));
      assert.ok(certificate.includes(evidence.consentText.replaceAll('\u00a0', ' ')));
    });

    it('is that of the accepted page in shown document, consent text and signed file', async () => {
      const business = await build.business();
      const { id, page, portal } = await quoteOf(business);
      const shown = (await app.get(`${page}/pdf?lang=en-US`)).bytes;
      const sentence = /I accept quote [^<]+/.exec(html(await app.get(`${page}?lang=en-US`)))?.[0];
      await submit(`${page}/accept?lang=en-US`, {
        signerName: 'Laura Méndez',
        signerEmail: 'laura@cliente.test',
        version: '1',
        consent: 'si',
        locale: 'en-US',
      });

      const evidence = await evidenceOf(business, id);

      assert.equal(evidence.consentLocale, 'en-US');
      assert.equal(evidence.consentText, sentence?.trim());
      assert.equal(evidence.shownPdfSha256, sha256(shown));
      assert.equal(await titleOf(`${portal}/pdf`), TITLES['en-US']);
    });

    it('does not change in file and evidence when settings, client or ?lang= change; the page follows them', async () => {
      const business = await build.business();
      const { id, page, portal, clientId } = await quoteOf(business, 'en-US');
      await app.post(`${portal}/accept`, build.SIGNER);
      const before = await evidenceOf(business, id);
      await setLocale(business, 'pt-BR');
      await app.patch(`/api/clients/${clientId}`, { locale: null }, business.owner);

      const files = [];
      for (const [path, headers] of [
        [`${portal}/pdf`, {}],
        [`${page}/pdf?lang=es-MX`, {}],
        [`/api/quotes/${id}/pdf`, business.owner],
      ] as const)
        files.push(sha256((await app.get(path, headers)).bytes));

      const { consentText, consentLocale, pdfSha256 } = await evidenceOf(business, id);
      assert.deepEqual(new Set(files), new Set([before.pdfSha256]));
      assert.deepEqual(
        [consentText, consentLocale, pdfSha256],
        [before.consentText, before.consentLocale, before.pdfSha256],
      );
      assert.equal(await languageOf(page), 'pt-BR');
    });

    it('is refused with 400 if unknown, and nothing is signed', async () => {
      const business = await build.business();
      const { id, page, portal } = await quoteOf(business);

      const json = await app.post(`${portal}/accept`, { ...build.SIGNER, locale: 'fr' });
      const posted = await submit(`${page}/accept`, {
        signerName: 'Laura',
        signerEmail: 'laura@cliente.test',
        version: '1',
        consent: 'si',
        locale: 'fr',
      });

      assert.deepEqual([json.status, json.body.error, posted.status], [400, UNKNOWN, 400]);
      assert.equal((await app.get(`/api/quotes/${id}`, business.owner)).body.status, 'SENT');
    });
  });

  it('of a client can be set, changed and removed with null; unknown values are 400', async () => {
    const { owner } = await build.business();
    const { id } = await build.client(owner, { locale: 'en-US' });
    const change = (locale: unknown) => app.patch(`/api/clients/${id}`, { locale }, owner);

    const changed = [await change('pt-BR'), await change(null)].map(({ body }) => body.locale);
    const refused = [await change('fr'), await change(''), await change('en')];
    const created = await app.post('/api/clients', { contactName: 'Laura', locale: 'fr' }, owner);

    assert.deepEqual(changed, ['pt-BR', null]);
    assert.deepEqual(
      [...refused, created].map(({ status, body }) => `${status} ${body.error}`),
      Array(4).fill(`400 ${UNKNOWN}`),
    );
  });

  it('of a business is audited, announced in an event and used for variables of automations', async () => {
    const business = await build.business();
    const { tenantId, owner } = business;
    await setLocale(business, 'pt-BR');
    const quote = await quoteOf(business, 'en-US');
    const actions = [
      { type: 'send_notification', title: '{{quote.total}} {{quote.currency}}', body: '{{quote.expiresAt}}' },
    ];
    const rule = await app.post('/api/automations', { name: 'Aviso', trigger: 'QUOTE_SENT', actions }, owner);

    const { body: logs } = await app.get('/api/audit-logs?entity=tenant', owner);
    const tried = await app.post(`/api/automations/${rule.body.id}/test`, { quoteId: quote.id }, owner);
    const events = await app.deps.withTenant(tenantId, (trx) =>
      OutboxEvent.query(trx).where({ tenantId, type: 'tenant.settings_changed' }),
    );

    assert.deepEqual(logs.data[0].metadata, { before: { locale: 'es-MX' }, after: { locale: 'pt-BR' } });
    assert.deepEqual(
      events.map(({ payload }) => JSON.parse(payload).data),
      [{ changed: ['locale'] }],
    );
    assert.match(tried.body.actions[0].preview, /\$ 232,00 MXN.*\d+º? de \p{Ll}+ de 20\d\d/su);
  });
});
