import assert from 'node:assert/strict';
import { composeExpiryMail } from '../../adapters/mail/expiry-mail.ts';
import { composeQuoteMail } from '../../adapters/mail/quote-mail.ts';
import { readQuoteDrawing } from '../../db/reads/quote-drawing.ts';
import { readPdf } from '../adapters/pdf-text.ts';
import * as build from './build.ts';
import { type Service, service } from './service.ts';

const FORM = 'no tiene la forma de un RFC';
const DIGIT = 'el dígito verificador del RFC no coincide';
const BUSINESS = {
  companyName: 'Muebles Roble',
  legalName: 'Maderas del Bajío, S.A. de C.V.',
  taxId: 'mab-930714-8t4',
  address: 'Av. Juárez 10\nPuebla',
  bankInfo: { bankName: 'Banco del Centro', clabe: '0321 8000 0118 3597 19', beneficiary: 'Maderas del Bajío' },
};

/** Data of the business and the client in settings, clients, PDF, mails and page. */
describe('Tax ids, addresses and accounts', () => {
  let app: Service;
  before(async () => {
    app = await service();
  });

  const change = ({ owner }: build.Business, body: object) =>
    app.request('PUT', '/api/settings', { headers: owner, body });

  const visible = (html: string) =>
    html
      .replace(/<(style|script)[\s\S]*?<\/\1>/g, '')
      .replace(/<[^>]*>/g, ' ')
      .replace(/\s+/g, ' ');

  async function textsOf(business: build.Business, quote: { id: string; page: string }) {
    const { tenantId, owner } = business;
    const pdf = (await readPdf((await app.get(`/api/quotes/${quote.id}/pdf`, owner)).bytes)).text;
    const page = visible((await app.get(quote.page)).bytes.toString());
    const drawing = await app.deps.withTenant(tenantId, (trx) => readQuoteDrawing(trx, quote.id));
    assert.ok(drawing);
    const parts = { drawing, portalUrl: null, messageId: '<a@b.mx>' };
    const mails = [composeQuoteMail({ ...parts, pdf: Buffer.from('') }), composeExpiryMail(parts)];
    return { pdf, page, mails: mails.flatMap(({ text, html }) => [text, visible(html)]) };
  }

  it('tax ids and addresses of both parties are in PDF, page and mails, a valid RFC and CLABE formatted', async () => {
    const business = await build.business();
    await change(business, BUSINESS);
    const client = { companyName: 'Hotel Sur', taxId: 'GODE561231GR8', address: 'Calle 5 #12\nMérida' };
    const { id: clientId } = await build.client(business.owner, client);

    const { pdf, page, mails } = await textsOf(business, await build.sentQuote(business, { clientId }));

    for (const text of [pdf, page, ...mails])
      assert.match(text, /Maderas del Bajío, S\.A\. de C\.V\.\s+RFC: MAB9307148T4/);
    assert.match(pdf, /PARA Hotel Sur \S+ \S+ RFC: GODE561231GR8 Calle 5 #12 Mérida /);
    assert.match(page, /Hotel Sur .*RFC: GODE561231GR8 Calle 5 #12 Mérida/);
    for (const text of mails) assert.match(text, /RFC del cliente:? +GODE561231GR8/);
    assert.match(pdf, /Beneficiario: Maderas del Bajío Banco: Banco del Centro CLABE: 032 180 00011835971 9/);
    assert.match(page, /Beneficiario Maderas del Bajío Banco Banco del Centro CLABE 032 180 00011835971 9/);
  });

  for (const [country, label] of [
    ['CO', 'NIT'],
    ['CL', 'RUT'],
    ['US', 'ID fiscal'],
  ] as const) {
    it(`the tax id of a client of ${country} is labelled ${label} everywhere`, async () => {
      const business = await build.business();
      await change(business, BUSINESS);
      const { id: clientId } = await build.client(business.owner, { taxId: '76.123.456-7', country });

      const { pdf, page, mails } = await textsOf(business, await build.sentQuote(business, { clientId }));

      for (const text of [pdf, page]) assert.ok(text.includes(`${label}: 76.123.456-7`), text);
      for (const text of mails) assert.match(text, new RegExp(`${label} del cliente:? +76\\.123\\.456-7`));
    });
  }

  it('tax ids of a foreign business are printed unchanged, without the amount in words', async () => {
    const business = await build.business();
    await change(business, { ...BUSINESS, country: 'US', taxId: '12-3456789', currency: 'USD' });

    const { pdf, page } = await textsOf(business, await build.sentQuote(business));

    for (const text of [pdf, page]) assert.ok(text.includes('ID fiscal: 12-3456789'), text);
    assert.match(pdf, /Cuenta: 0321 8000 0118 3597 19/);
    assert.doesNotMatch(pdf, /IMPORTE CON LETRA/);
  });

  for (const [taxId, message] of [
    ['MAB9307148T3', DIGIT],
    ['GODE561331GR8', FORM],
    ['sin RFC', FORM],
    ['900.123.456-7', FORM],
  ] as const) {
    it(`stores the invalid tax id «${taxId}» unchanged, with a warning`, async () => {
      const business = await build.business();

      const settings = await change(business, { taxId });
      const created = await app.post('/api/clients', { contactName: 'Laura', taxId }, business.owner);
      const changed = await app.patch(`/api/clients/${created.body.id}`, { taxId }, business.owner);

      assert.deepEqual([settings.status, created.status, changed.status], [200, 201, 200]);
      assert.deepEqual([settings.body.data.taxId, created.body.taxId, changed.body.taxId], [taxId, taxId, taxId]);
      const warnings = [{ path: 'taxId', message }];
      assert.deepEqual([settings.body.warnings, created.body.warnings, changed.body.warnings], [warnings, warnings, warnings]); // prettier-ignore
    });
  }

  for (const [clabe, message] of [
    ['032180000118359710', 'el dígito de control de la CLABE no coincide'],
    ['0321 8000 0118', 'la CLABE debe tener 18 dígitos'],
    ['DE89 3704 0044 0532 0130 00', 'la CLABE debe tener 18 dígitos'],
  ] as const) {
    it(`stores and prints the invalid CLABE «${clabe}» unchanged, with a warning`, async () => {
      const business = await build.business();

      const { body } = await change(business, { bankInfo: { clabe } });

      const { pdf, page } = await textsOf(business, await build.sentQuote(business));
      assert.deepEqual([body.data.bankInfo, body.warnings], [{ clabe }, [{ path: 'bankInfo.clabe', message }]]);
      assert.ok(pdf.includes(`CLABE: ${clabe}`), pdf);
      assert.ok(page.includes(`CLABE ${clabe}`), page);
    });
  }

  it('changes of other members do not repeat the warnings', async () => {
    const business = await build.business();
    await change(business, { taxId: 'sin RFC', bankInfo: { clabe: '1' } });
    const client = await app.post('/api/clients', { contactName: 'Laura', taxId: 'sin RFC' }, business.owner);

    const settings = await change(business, { phone: '55 1234 5678', legalName: 'Roble, S.C.' });
    const changed = await app.patch(`/api/clients/${client.body.id}`, { phone: '55 1234 5678' }, business.owner);

    assert.deepEqual([settings.body.warnings, settings.body.data.taxId], [undefined, 'sin RFC']);
    assert.deepEqual([changed.body.warnings, changed.body.taxId], [undefined, 'sin RFC']);
  });

  for (const [country, taxId] of [
    ['CO', '900.123.456-7'],
    ['AR', '20-12345678-9'],
    ['US', 'sin RFC'],
  ] as const) {
    it(`tax ids and accounts are not checked in ${country}`, async () => {
      const business = await build.business();

      const created = await app.post('/api/clients', { contactName: 'Laura', taxId, country }, business.owner);
      const settings = await change(business, { taxId, country, bankInfo: { clabe: '12-34' } });

      assert.deepEqual([created.status, created.body.warnings], [201, undefined]);
      assert.deepEqual([settings.status, settings.body.warnings], [200, undefined]);
    });
  }

  it('a client without a country has that of the business', async () => {
    const business = await build.business({ country: 'GT' });
    const { body } = await app.post('/api/clients', { contactName: 'Laura' }, business.owner);
    const path = `/api/clients/${body.id}`;

    const own = await app.patch(path, { country: 'CL' }, business.owner);
    const read = await app.get(path, business.owner);
    const again = await app.patch(path, { country: null }, business.owner);
    const listed = await app.get('/api/clients', business.owner);

    const countries = [body, own.body, read.body, again.body, listed.body.data[0]].map(({ country }) => country);
    assert.deepEqual(countries, ['GT', 'CL', 'CL', 'GT', 'GT']);
  });
});

describe('Paper size of a quote', () => {
  let app: Service;
  before(async () => {
    app = await service();
  });

  const LETTER = '0 0 612 792';
  const A4 = '0 0 595.28 841.89';

  async function paperOf(business: build.Business): Promise<string | undefined> {
    const { id } = await build.quote(business.owner);
    const { bytes } = await app.get(`/api/quotes/${id}/pdf`, business.owner);
    return /MediaBox \[([^\]]+)\]/.exec(bytes.toString('latin1'))?.[1];
  }

  for (const [country, plan, paper] of [
    ['MX', 'FREE', LETTER],
    ['MX', 'PRO', LETTER],
    ['CO', 'FREE', LETTER],
    ['PR', 'PRO', LETTER],
    ['BR', 'FREE', A4],
    ['ES', 'PRO', A4],
  ] as const) {
    it(`is ${paper === A4 ? 'A4' : 'Letter'} in ${country} on ${plan}`, async () => {
      assert.equal(await paperOf(await build.business({ country, plan })), paper);
    });
  }

  for (const [plan, country, paperSize, paper] of [
    ['FREE', 'MX', 'A4', A4],
    ['PRO', 'MX', 'A4', A4],
    ['FREE', 'BR', 'LETTER', LETTER],
  ] as const) {
    it(`is the configured ${paperSize} in ${country} on ${plan}, until it is unset`, async () => {
      const business = await build.business({ plan, country });
      const set = (size: string | null) =>
        app.request('PUT', '/api/settings', { headers: business.owner, body: { paperSize: size } });

      await set(paperSize);
      const asked = await paperOf(business);
      const { body } = await set(null);

      assert.equal(asked, paper);
      assert.deepEqual([body.data.paperSize, await paperOf(business)], [null, country === 'MX' ? LETTER : A4]);
    });
  }
});
