import assert from 'node:assert/strict';
import { composeAccountMail } from '../../adapters/mail/account-mail.ts';
import { composeExpiryMail } from '../../adapters/mail/expiry-mail.ts';
import { composeQuoteMail } from '../../adapters/mail/quote-mail.ts';
import { readQuoteDrawing } from '../../db/reads/quote-drawing.ts';
import { readPdf } from '../adapters/pdf-text.ts';
import * as build from './build.ts';
import { type Service, service } from './service.ts';

/** The texts of one quote in PDF, page, both mails and an automation. */
describe('Texts of a quote in all documents', () => {
  let app: Service;
  before(async () => {
    app = await service();
  });

  const visible = (html: string) =>
    html
      .replace(/<(style|script)[\s\S]*?<\/\1>/g, '')
      .replace(/<[^>]*>/g, '')
      .replace(/&#?\w+;/g, ' ')
      .replace(/\s+/g, ' ');

  async function mailsOf({ tenantId }: build.Business, quoteId: string): Promise<readonly string[]> {
    const drawing = await app.deps.withTenant(tenantId, (trx) => readQuoteDrawing(trx, quoteId));
    assert.ok(drawing);
    const parts = { drawing, portalUrl: null, messageId: '<a@b.mx>' };
    const mails = [composeQuoteMail({ ...parts, pdf: Buffer.from('') }), composeExpiryMail(parts)];
    return mails.flatMap(({ text, html }) => [text, visible(html)]);
  }

  async function textsOf(business: build.Business, quote: { id: string; page: string }): Promise<readonly string[]> {
    const pdf = await readPdf((await app.get(`/api/quotes/${quote.id}/pdf`, business.owner)).bytes);
    const page = visible((await app.get(quote.page)).bytes.toString());
    return [pdf.text, page, ...(await mailsOf(business, quote.id))];
  }

  for (const [currency, unitPrice, total] of [
    ['CLP', 3702, '$4,294 CLP'],
    ['JPY', 1000, '¥1,160 JPY'],
    ['KWD', 1000, '1,160.000 KWD'],
    ['PYG', 1_000_000, '₲1,160,000 PYG'],
    ['EUR', 0.125, '€0.15 EUR'],
    ['MXN', 285.21, '$330.84 MXN'],
  ] as const) {
    it(`a total in ${currency} is ${total} in PDF, page, mails, consent and automation`, async () => {
      const business = await build.business();
      const items = [{ productName: 'Silla', unitPrice, quantity: 1 }];
      const quote = await build.sentQuote(business, { items, currency });

      const texts = await textsOf(business, quote);
      const [pdf, page] = texts;
      for (const text of texts) assert.ok(text.includes(total), text);
      assert.ok(page?.includes(`por un total de ${total}, vigente hasta el`), page);
      const amounts = (text = '') => new Set(text.match(/(?:[$¥€₲])?\d[\d,]*(?:\.\d+)?(?= [A-Z]{3}\b)/g));
      assert.deepEqual(amounts(page), amounts(pdf));

      const rule = await app.post(
        '/api/automations',
        {
          name: 'Aviso',
          trigger: 'QUOTE_SENT',
          actions: [{ type: 'send_notification', title: '{{quote.total}} {{quote.currency}}', body: 'b' }],
        },
        business.owner,
      );
      const tried = await app.post(`/api/automations/${rule.body.id}/test`, { quoteId: quote.id }, business.owner);
      assert.ok(tried.body.actions[0].preview.includes(total), tried.body.actions[0].preview);
    });
  }

  for (const [what, fields, said] of [
    ['a company', { companyName: 'Aceros y Perfiles S.A. de C.V.' }, 'Aceros y Perfiles S.A. de C.V.'],
    ['a person', { contactName: 'Raúl Ortiz Jr.', companyName: '' }, 'Raúl Ortiz Jr.'],
    ['an exclamation', { companyName: '¡Fiestas Ya!' }, '¡Fiestas Ya!'],
    ['an ellipsis', { companyName: 'Muebles…' }, 'Muebles…'],
    ['a quotation', { companyName: 'Grupo «Sol S. de R.L.»' }, 'Grupo «Sol S. de R.L.»'],
    ['a bracket', { companyName: 'Sol (antes Luna S.C.)' }, 'Sol (antes Luna S.C.)'],
  ] as const) {
    it(`the sentence about a client whose name is ${what} ends with one full stop`, async () => {
      const business = await build.business();
      const { id: clientId } = await build.client(business.owner, fields);
      const { page } = await build.sentQuote(business, { clientId });

      const text = visible((await app.get(page)).bytes.toString());

      assert.ok(text.includes(`${said} `), text);
      assert.ok(!text.includes(`${said}.`), text);
    });
  }

  it('the sentence ends with a full stop if the name has none', async () => {
    const business = await build.business();
    const { id: clientId } = await build.client(business.owner, { companyName: 'Aceros Nobles' });
    const { page } = await build.sentQuote(business, { clientId });

    assert.match(visible((await app.get(page)).bytes.toString()), /Laura Méndez, Aceros Nobles\. /);
  });

  it('the contact line and the password mail end with one full stop', async () => {
    const business = await build.business();
    await build.patchTenant(business, { phone: '55 1234 ext.' });
    const { page } = await build.sentQuote(business);
    const mail = composeAccountMail({
      mail: {
        kind: 'password_reset',
        businessName: 'Roble S.A. de C.V.',
        locale: 'es-MX',
        user: { name: 'Diana', email: 'diana@roble.test' },
      },
      token: 't',
      publicUrl: 'https://cotiza.test',
      messageId: '<a@b.mx>',
    });

    assert.doesNotMatch(visible((await app.get(page)).bytes.toString()), /ext\.\./);
    assert.match(mail.text, /su cuenta en Roble S\.A\. de C\.V\.\n/);
  });
});
