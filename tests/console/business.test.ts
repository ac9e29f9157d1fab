import assert from 'node:assert/strict';
import { Session } from '../../db/models/session.ts';
import { png } from '../adapters/image-files.ts';
import * as build from '../api/build.ts';
import { service } from '../api/service.ts';
import { needs } from '../stack.ts';
import { attach, cookieIn, errorAt, fieldsIn, filled, open, submit, titleOf } from './browse.ts';

// The logo is a file.
needs('storage');

const MARKUP = '<b>"x"</b>';
const ESCAPED = '&lt;b&gt;&quot;x&quot;&lt;/b&gt;';
const SAVED = (tab: string) => `/app/settings/${tab}?notice=settings_saved`;

const settingsOf = async ({ owner }: build.Business) => (await (await service()).get('/api/settings', owner)).body.data;

describe('/app/settings', () => {
  /** Fills in the form of a tab and sends it. */
  async function save(tab: string, business: build.Business, values: Readonly<Record<string, string>>) {
    const path = `/app/settings/${tab}`;
    const { html } = await open(path, business.owner);
    return submit(path, filled(html, values, path), { as: business.owner });
  }

  it('leads to the data of the business and changes them; doubtful values are saved and named', async () => {
    const business = await build.business();
    const path = '/app/settings/business';
    const values = {
      companyName: MARKUP,
      taxId: 'NO ES RFC',
      'bankInfo.bankName': 'Banco del Centro',
      'bankInfo.clabe': '032180000118359718',
      timeZone: 'America/Tijuana',
      locale: 'en-US',
    };
    assert.equal((await open('/app/settings', business.owner)).headers.get('Location'), path);

    const saved = await save('business', business, values);

    assert.equal(saved.headers.get('Location'), SAVED('business'), saved.html);
    const { companyName, taxId, bankInfo, timeZone, locale } = await settingsOf(business);
    assert.deepEqual(
      { companyName, taxId, bankInfo, timeZone, locale },
      {
        companyName: MARKUP,
        taxId: 'NO ES RFC',
        bankInfo: { bankName: 'Banco del Centro', clabe: '032180000118359718' },
        timeZone: 'America/Tijuana',
        locale: 'en-US',
      },
    );
    const { html } = await open(SAVED('business'), business.owner);
    assert.ok(html.includes(ESCAPED) && !html.includes('<b>"x"'));
    assert.match(html, /Los ajustes se guardaron/);
    assert.equal(html.match(/Se guardó así, pero/g)?.length, 2, 'both doubtful values are named');
    const cleared = await save('business', business, { taxId: '', 'bankInfo.clabe': '', 'bankInfo.bankName': '' });
    assert.equal(cleared.status, 303);
    const after = await settingsOf(business);
    assert.deepEqual([after.taxId, after.bankInfo], [null, null]);
  });

  it('shows each refusal beside its field and keeps the input', async () => {
    const business = await build.business();

    const data = await save('business', business, { companyName: '', email: 'no es correo' });
    const numbering = await save('numbering', business, {
      numberFormat: 'COT',
      nextQuoteNumber: '0',
      quoteValidityDays: 'x',
    });
    const email = await save('email', business, {
      reminderDaysBefore: '31',
      'followUpDays.0': '7',
      'followUpDays.1': 'y',
    });
    const look = await save('branding', business, { 'pdfBranding.primaryColor': 'azul' });

    assert.deepEqual(
      [data, numbering, email, look].map(({ status }) => status),
      [400, 400, 400, 400],
    );
    assert.ok(errorAt(data.html, 'companyName') && errorAt(data.html, 'email'));
    assert.match(data.html, /value="no es correo"/);
    assert.ok(errorAt(numbering.html, 'quoteValidityDays') && errorAt(numbering.html, 'nextQuoteNumber'));
    assert.ok(errorAt(email.html, 'reminderDaysBefore') && errorAt(email.html, 'followUpDays.1'));
    assert.ok(errorAt(look.html, 'pdfBranding.primaryColor'));
  });

  it('changes numbering and defaults, and the next number only when one is typed', async () => {
    const business = await build.business();
    await build.quote(business.owner);

    const saved = await save('numbering', business, {
      numberFormat: '{year}-{number:3}',
      quoteValidityDays: '20',
      currency: 'USD',
      defaultTerms: 'Anticipo\ndel 50 %',
    });
    const { numberFormat, quoteValidityDays, currency, defaultTerms, nextQuoteNumber } = await settingsOf(business);
    await save('numbering', business, { nextQuoteNumber: '40' });
    const back = await save('numbering', business, { nextQuoteNumber: '3' });

    assert.equal(saved.status, 303, saved.html);
    assert.deepEqual(
      [numberFormat, quoteValidityDays, currency, defaultTerms, nextQuoteNumber],
      ['{year}-{number:3}', 20, 'USD', 'Anticipo\ndel 50 %', 2],
    );
    assert.match(back.html, new RegExp(`la <strong>${new Date().getFullYear()}-040</strong>`));
    assert.match(errorAt(back.html, 'nextQuoteNumber') ?? '', /mayor que el último número, 39/);
  });

  it('writes rates in percent, removes and adds taxes, and goes back to the table of the country', async () => {
    const business = await build.business();

    const saved = await save('taxes', business, {
      taxRate: '8',
      'taxes.0.remove': 'true',
      'taxes.6.code': 'ISH',
      'taxes.6.name': MARKUP,
      'taxes.6.rate': '3.5',
    });
    const { taxRate, taxes } = await settingsOf(business);
    const refused = await save('taxes', business, { 'taxes.0.remove': 'true', 'taxes.1.rate': '120', taxRate: 'x' });
    const reset = await submit('/app/settings/taxes/reset', {}, { as: business.owner });

    assert.equal(saved.headers.get('Location'), SAVED('taxes'), saved.html);
    assert.equal(taxRate, '0.08');
    assert.deepEqual(
      taxes.map(({ code, rate }: { code: string; rate: number }) => [code, rate]),
      [
        ['IVA8', 0.08],
        ['IVA0', 0],
        ['EXENTO', 0],
        ['RET_ISR10', 0.1],
        ['RET_IVA', 0.106667],
        ['ISH', 0.035],
      ],
    );
    assert.equal(refused.status, 400);
    // The removed row is gone, so that the second one is the first.
    assert.equal(errorAt(refused.html, 'taxes.0.rate'), 'Debe ser un porcentaje de 0 a 100');
    assert.equal(errorAt(refused.html, 'taxRate'), 'Debe ser un porcentaje de 0 a 100');
    assert.ok(refused.html.includes(ESCAPED));
    assert.equal(reset.status, 303);
    assert.equal((await settingsOf(business)).taxes[0].code, 'IVA16');
  });

  it('sets mails and reminders; empty follow-ups are none', async () => {
    const business = await build.business();

    await save('email', business, { reminderDaysBefore: '5', 'followUpDays.0': '3', 'followUpDays.2': '9' });
    const set = await settingsOf(business);
    const { html } = await open('/app/settings/email', business.owner);
    await save('email', business, { notifyOnAnswer: 'false', 'followUpDays.0': '', 'followUpDays.1': '' });
    const cleared = await settingsOf(business);

    assert.deepEqual([set.reminderDaysBefore, set.followUpDays], [5, [3, 9]]);
    assert.deepEqual(new Map(fieldsIn(html, '/app/settings/email')).get('followUpDays.1'), '9');
    assert.deepEqual(cleared.followUpDays, []);
  });

  it('answers 412 to a form that is outdated, and saves it on the second submission', async () => {
    const business = await build.business();
    const path = '/app/settings/email';
    const { html } = await open(path, business.owner);
    await save('numbering', business, { quoteValidityDays: '21' });

    const outdated = await submit(path, filled(html, { reminderDaysBefore: '9' }, path), { as: business.owner });
    const again = await submit(path, fieldsIn(outdated.html, path), { as: business.owner });

    assert.equal(outdated.status, 412);
    assert.match(outdated.html, /Alguien cambió estos datos/);
    assert.equal(again.status, 303);
    assert.equal((await settingsOf(business)).reminderDaysBefore, 9);
  });

  it('keeps the input when the session has ended', async () => {
    const business = await build.business();
    const path = '/app/settings/numbering';
    const { html } = await open(path, business.owner);
    const { deps } = await service();
    const { tenantId } = business;
    await deps.withTenant(tenantId, (trx) => Session.query(trx).where({ tenantId }).patch({ revokedAt: new Date() }));

    const expired = await submit(path, filled(html, { defaultNotes: MARKUP }, path), { as: business.owner });
    const credentials = { email: business.email, password: build.PASSWORD };
    const signedIn = await submit('/login', filled(expired.html, credentials, '/login'));
    const owner = cookieIn(signedIn.headers);
    const sent = await submit(path, fieldsIn(signedIn.html, path), { as: owner });

    assert.deepEqual([expired.status, sent.status], [401, 303]);
    assert.equal((await settingsOf({ ...business, owner })).defaultNotes, MARKUP);
  });

  it('uploads, shows and removes the logo, and says beside the field why a file is refused', async () => {
    const business = await build.business();
    const path = '/app/settings/branding/logo';
    const file = (content: Buffer | string) => {
      const form = new FormData();
      form.set('logo', new Blob([typeof content === 'string' ? content : new Uint8Array(content)]), 'logo.png');
      return form;
    };

    const refused = await attach(path, file('GIF89a'), business.owner);
    const saved = await attach(path, file(await png({ width: 60, height: 40 })), business.owner);
    const shown = await open('/app/settings/branding', business.owner);
    const image = await open('/app/settings/logo', business.owner);
    const removed = await submit('/app/settings/branding/remove-logo', {}, { as: business.owner });

    assert.equal(refused.status, 400);
    assert.match(errorAt(refused.html, 'logo') ?? '', /PNG, JPG, WebP o SVG/);
    assert.equal(saved.headers.get('Location'), '/app/settings/branding?notice=logo_saved');
    assert.match(shown.html, /src="\/app\/settings\/logo"/);
    assert.deepEqual([image.status, image.headers.get('Content-Type')], [200, 'image/png']);
    assert.equal(removed.status, 303);
    assert.equal((await open('/app/settings/logo', business.owner)).status, 404);
  });

  it('sets the look, draws it, opens the PDF of the newest quote, and goes back to the plain look', async () => {
    const business = await build.business();
    const empty = await open('/app/settings/branding', business.owner);

    const saved = await save('branding', business, {
      'pdfBranding.primaryColor': '#0A7C55',
      'pdfBranding.footerText': MARKUP,
      paperSize: 'A4',
    });
    const { pdfBranding, paperSize } = await settingsOf(business);
    await build.quote(business.owner);
    const { html } = await open('/app/settings/branding', business.owner);
    const pdf = await open('/app/settings/branding/preview', business.owner);
    await submit('/app/settings/branding/reset', {}, { as: business.owner });

    assert.match(empty.html, /Cuando tenga una cotización/);
    assert.equal(saved.status, 303, saved.html);
    assert.deepEqual(pdfBranding, { primaryColor: '#0A7C55', footerText: MARKUP });
    assert.equal(paperSize, 'A4');
    assert.ok(html.includes('fill="#0A7C55"') && html.includes(ESCAPED));
    assert.deepEqual([pdf.status, pdf.headers.get('Content-Type')], [200, 'application/pdf']);
    assert.equal((await settingsOf(business)).pdfBranding, null);
  });

  it('on FREE explains the look, keeps the paper, and can remove colours of an earlier PRO', async () => {
    const business = await build.business({ plan: 'FREE', pdfBranding: '{"primaryColor":"#0A7C55"}' });

    const { html } = await open('/app/settings/branding', business.owner);
    const saved = await save('branding', business, { paperSize: 'A4' });
    const forced = await save('branding', business, { 'pdfBranding.primaryColor': '#123456' });
    await submit('/app/settings/branding/reset', {}, { as: business.owner });

    assert.match(html, /son del plan PRO/);
    assert.ok(!html.includes('name="pdfBranding.primaryColor"'));
    assert.deepEqual([saved.status, forced.status], [303, 403]);
    const { pdfBranding, paperSize } = await settingsOf(business);
    assert.deepEqual([pdfBranding, paperSize], [null, 'A4']);
  });
});

describe('/app/pipeline', () => {
  const statusOf = async (business: build.Business, id: string) =>
    (await (await service()).get(`/api/quotes/${id}`, business.owner)).body.status;
  const moveTo = ({ owner }: build.Business, id: string, status: string) =>
    submit(`/app/pipeline/${id}/move?days=30`, { status }, { as: owner });

  it('shows the quotes by stage with counts and a sum for each currency, by vendor and amount', async () => {
    const business = await build.business();
    const carlos = await build.member(business);
    const client = await build.client(business.owner, { contactName: MARKUP, companyName: null });
    await build.quote(business.owner, { clientId: client.id });
    await build.quote(business.owner, { currency: 'USD' });
    await build.quote(carlos.as);

    const { html } = await open('/app/pipeline', business.owner);
    const own = await open(`/app/pipeline?userId=${carlos.userId}&days=nunca&minAmount=x`, business.owner);
    const none = await open('/app/pipeline?minAmount=99999', business.owner);

    assert.match(html, /Sin enviar <span class="stage-count">3</);
    assert.match(html, /\$464\.00 MXN[^]*\$232\.00 USD/);
    assert.ok(html.includes(ESCAPED) && !html.includes('<b>"x"'));
    assert.match(own.html, /Sin enviar <span class="stage-count">1</);
    assert.match(none.html, /Ninguna cotización coincide/);
  });

  it('moves a quote, says so, and says why it refuses to', async () => {
    const business = await build.business();
    const { id } = await build.quote(business.owner);

    const early = await moveTo(business, id, 'WON');
    const sent = await moveTo(business, id, 'SENT');
    const twice = await moveTo(business, id, 'SENT');
    const won = await moveTo(business, id, 'WON');
    const late = await moveTo(business, id, 'LOST');
    const unknown = await moveTo(business, id, 'x');

    assert.deepEqual([early.status, twice.status, late.status, unknown.status], [400, 400, 400, 400]);
    assert.match(early.html, /COT-1 todavía no se envía/);
    assert.match(late.html, /COT-1 ya está decidida/);
    assert.equal(sent.headers.get('Location'), `/app/pipeline?days=30&moved=${id}`);
    assert.equal(won.status, 303);
    assert.equal(await statusOf(business, id), 'WON');
    const { html } = await open(won.headers.get('Location') ?? '', business.owner);
    assert.match(html, /COT-1 está ahora en «Ganadas»/);
    const other = await build.business();
    assert.match((await moveTo(other, id, 'SENT')).html, /Cotización no encontrada/);
  });

  it('explains itself without quotes', async () => {
    const { owner } = await build.business();

    assert.match((await open('/app/pipeline', owner)).html, /Todavía no hay cotizaciones en el embudo/);
  });
});

describe('/app/dashboard', () => {
  it('shows the figures of the period with a chart and the same as tables', async () => {
    const business = await build.business();
    const carlos = await build.member(business);
    const client = await build.client(business.owner, { contactName: MARKUP, companyName: null });
    const { id } = await build.quote(business.owner, { clientId: client.id });
    await build.patchQuote(business, id, { status: 'WON' });
    await build.quote(carlos.as);

    const { html } = await open('/app/dashboard', business.owner);
    const day = await open('/app/dashboard?period=day', business.owner);
    const long = await open('/app/dashboard?from=2020-01-01&to=2026-12-31', business.owner);

    assert.match(html, /Cotizado<\/p>\s*<p class="tile-value">\$464\.00 MXN/);
    assert.match(html, /Ganado<\/p>\s*<p class="tile-value">\$232\.00 MXN/);
    assert.match(html, /aria-label="Gráfica de barras: 2 creadas y 1 ganadas/);
    assert.match(html, /Ver como tabla/);
    assert.ok(html.includes(ESCAPED) && !html.includes('<b>"x"') && !html.includes('style='));
    assert.match(html, /Por vendedor/);
    assert.deepEqual([day.status, long.status], [200, 200]);
  });

  it('says beside the dates what is wrong with them, and explains an empty period', async () => {
    const { owner } = await build.business();

    const wrong = await open('/app/dashboard?from=ayer', owner);
    const backwards = await open('/app/dashboard?from=2026-02-02&to=2026-01-01', owner);
    const empty = await open('/app/dashboard?from=2020-01-01&to=2020-01-31', owner);

    assert.deepEqual([wrong.status, backwards.status, empty.status], [400, 400, 200]);
    assert.ok(errorAt(wrong.html, 'from') && errorAt(backwards.html, 'from'));
    assert.match(empty.html, /Del 1 al 31 de enero de 2020[^]*Sin cotizaciones en este periodo/);
    assert.equal(titleOf(empty.html), 'Indicadores');
  });
});
