import assert from 'node:assert/strict';
import { composeQuoteMail, messageIdOf } from '../../adapters/mail/quote-mail.ts';
import { createMailer } from '../../adapters/mail/transport.ts';
import type { QuoteDrawing } from '../../domain/quote-drawing.ts';
import { smtpServer } from './mail-servers.ts';
import { defaultTaxOf, PLAIN, UNTAXED } from './pdf-drawings.ts';

const drawing = (changes: Partial<QuoteDrawing> = {}): QuoteDrawing => ({
  ...PLAIN,
  taxes: defaultTaxOf('0.16', { base: '1000.00', amount: '160.00' }),
  paper: 'A4',
  quoteNumber: 12,
  version: 1,
  currency: 'MXN',
  createdAt: '2026-11-30T15:00:00.000Z',
  expiresAt: '2026-12-15T15:00:00.000Z',
  timeZone: 'America/Mexico_City',
  locale: 'es-MX',
  business: {
    ...UNTAXED,
    companyName: 'Ferretería Núñez',
    email: 'ventas@nunez.mx',
    phone: null,
    address: 'Av. Sur 12, CDMX',
  },
  seller: { name: 'Ana Núñez', email: 'ana@nunez.mx' },
  client: { ...UNTAXED, contactName: 'María Fernández', companyName: null, email: 'maria@cliente.mx', phone: null },
  lines: [],
  subtotal: '1000.00',
  taxRate: '0.16',
  tax: '160.00',
  shippingCost: '0.00',
  total: '1160.00',
  notes: '',
  attachments: [],
  watermark: false,
  branding: null,
  bankInfo: null,
  signature: null,
  ...changes,
});

const compose = (changes: Partial<QuoteDrawing> = {}, portalUrl: string | null = null) =>
  composeQuoteMail({
    drawing: drawing(changes),
    pdf: Buffer.from('%PDF-1.7'),
    portalUrl,
    messageId: messageIdOf('share', 'cabc123', 'cotizaciones@nunez.mx'),
  });

const EVIL = '<a href=//evil>Pague aqui</a>';

describe('composeQuoteMail', () => {
  it('names quote, business and total in the subject, and all of it with the last day in both parts', () => {
    const { subject, text, html, messageId } = compose();

    assert.equal(subject, 'Cotización COT-12 de Ferretería Núñez: $1,160.00 MXN');
    assert.equal(messageId, '<share.cabc123@nunez.mx>');
    for (const part of [text, html]) {
      assert.match(part, /Hola, María Fernández:/);
      assert.match(part, /COT-12/);
      assert.match(part, /\$1,160\.00 MXN/);
      assert.match(part, /15 de diciembre de 2026/);
      assert.match(part, /Ana Núñez/);
      assert.match(part, /Av\. Sur 12, CDMX/);
    }
  });

  const shared = (
    message: string,
    to = [{ name: '', address: 'a@x.test' }],
    locale: QuoteDrawing['locale'] = 'es-MX',
  ) =>
    composeQuoteMail({
      drawing: drawing({ locale }),
      pdf: Buffer.from('%PDF-1.7'),
      portalUrl: null,
      messageId: '<share.c1@nunez.mx>',
      recipients: { to, cc: [{ name: 'Eva', address: 'eva@x.test' }] },
      message,
    });

  it("has the seller's message before its own words, cleaned, escaped and without links", () => {
    const { text, html } = shared('Uno <b>\r\ndos\u202e\u0007\n\n\nhttps://x.test/?a=1&b="2"');

    assert.match(text, /^Hola:\n\nUno <b>\ndos\n\n\nhttps:\/\/x\.test\/\?a=1&b="2"\n\nLe enviamos/);
    assert.match(html, /Uno &lt;b&gt;<br \/>dos\s*<\/p>/);
    assert.match(html, /https:\/\/x\.test\/\?a=1&amp;b=&quot;2&quot;/);
    assert.doesNotMatch(html, /<b>|<a /);
  });

  it('greets a single known person by name, and anyone else without one, in three languages', () => {
    const ana = { name: 'Ana\r\nBcc: x', address: 'ana@x.test' };
    const greetingOf = (...args: Parameters<typeof shared>) => shared(...args).text.split('\n')[0];

    assert.equal(greetingOf('', [ana]), 'Hola, Ana Bcc: x:');
    assert.equal(greetingOf('', [ana, ana]), 'Hola:');
    assert.equal(greetingOf('', undefined, 'en-US'), 'Hello,');
    assert.equal(greetingOf('', undefined, 'pt-BR'), 'Olá,');
  });

  it('has a button and a plain link to the page when there is one, and neither when there is none', () => {
    const withPage = compose({}, 'https://cotiza.mx/p/abc?x=1&y="2"');
    const without = compose();

    assert.ok(withPage.html.includes('href="https://cotiza.mx/p/abc?x=1&amp;y=&quot;2&quot;"'));
    assert.ok(withPage.text.includes('Ver cotización:\nhttps://cotiza.mx/p/abc?x=1&y="2"\n'));
    assert.doesNotMatch(without.html, /<a /);
    assert.doesNotMatch(without.text, /Ver cotización/);
  });

  it('has the sums above the total and the deposit below it, in both parts, when other taxes than the default apply', () => {
    const { text, html } = compose({
      taxes: [
        { code: 'IVA16', name: 'IVA 16 %', kind: 'transfer', rate: '0.16', base: '1000.00', amount: '160.00' },
        { code: 'RET', name: 'Retención', kind: 'withholding', rate: '0.106667', base: '1000.00', amount: '106.67' },
      ],
      total: '1053.33',
      deposit: { percent: '30.00', amount: '316.00', note: 'Para iniciar' },
    });

    for (const part of [text, html.slice(html.indexOf('<body')).replace(/<[^>]*>/g, ' ')]) {
      const found = [
        'Vigente hasta',
        '$1,000.00',
        '$160.00',
        '-$106.67',
        '$1,053.33 MXN',
        '$316.00 MXN (30 %)',
        'Para iniciar',
      ].map((printed, index) => part.indexOf(printed, index === 4 ? part.indexOf('-$106.67') : 0));
      assert.ok(!found.includes(-1), `${found.join(', ')} in ${part}`);
      assert.deepEqual(
        found,
        found.toSorted((a, b) => a - b),
      );
    }
  });

  it('shows a version only from the second on', () => {
    assert.doesNotMatch(compose().text, /versión/);
    assert.match(compose({ version: 2 }).text, /Cotización: COT-12 \(versión 2\)/);
  });

  it('loads nothing from anywhere: no image, no style sheet, no script, no tracking', () => {
    const { html } = compose({}, 'https://cotiza.mx/p/abc');

    assert.doesNotMatch(html, /<(img|link|script|iframe|form)|url\(|@import| src=/i);
    assert.deepEqual(html.match(/https?:\/\/[^"\s<]+/g), ['https://cotiza.mx/p/abc']);
  });

  it('escapes user texts everywhere in the HTML, and leaves the subject plain', () => {
    const evil = { ...UNTAXED, email: 'e@x.mx', phone: EVIL, address: EVIL, companyName: EVIL };

    const { html, subject } = compose({
      business: evil,
      seller: { name: EVIL, email: 'ana@nunez.mx' },
      client: { ...UNTAXED, contactName: EVIL, companyName: EVIL, email: 'maria@cliente.mx', phone: null },
    });

    assert.doesNotMatch(html, /<a[ >]/);
    assert.equal(html.split('&lt;a href=//evil&gt;Pague aqui&lt;/a&gt;').length, 9);
    assert.equal(subject, `Cotización COT-12 de ${EVIL}: $1,160.00 MXN`);
  });

  it('wears the business’s colour with readable words on it, also where mails are shown dark', () => {
    const branding = { primaryColor: '#f2b705', logoKey: null };

    const own = compose({ branding }, 'https://cotiza.mx/p/abc').html;
    const plain = compose({}, 'https://cotiza.mx/p/abc').html;

    assert.match(own, /bgcolor="#f2b705"[\s\S]*color:#17212b;text-decoration:none/);
    assert.match(own, /border-top:6px solid #f2b705/);
    assert.doesNotMatch(own, /\.action \{ background-color: #4f8ff7/);
    assert.match(plain, /bgcolor="#1d5fd1"/);
    assert.match(plain, /\.action \{ background-color: #4f8ff7/);
  });

  it('carries the logo in itself, and the name in its alternative text', async () => {
    const smtp = await smtpServer();
    const mailer = createMailer({ SMTP_URL: smtp.url, MAIL_FROM: 'cotizaciones@nunez.mx' });
    const message = composeQuoteMail({
      drawing: drawing(),
      pdf: Buffer.from('%PDF-1.7'),
      logo: Buffer.from('PNG'),
      portalUrl: null,
      messageId: messageIdOf('share', 'cabc123', 'cotizaciones@nunez.mx'),
    });

    await mailer.send(message);

    await smtp.stop();
    const [{ mail, raw } = assert.fail()] = smtp.received;
    assert.match(message.html, /<img\s+src="cid:logo"\s+alt="Ferretería Núñez"/);
    assert.match(raw, /multipart\/related/);
    const files = mail.attachments.map(({ filename, contentDisposition, related }) => [
      filename,
      contentDisposition,
      Boolean(related),
    ]);
    assert.deepEqual(new Set(files.map(String)), new Set(['COT-12.pdf,attachment,false', 'logo.png,inline,true']));
  });

  it('has a dark ground behind a logo that is light, and white behind any other', () => {
    const grounds = ['t/a/logo/1.png', 't/a/logo/1.light.png'].map((logoKey) => {
      const branding = { primaryColor: '#7a1f3d', logoKey };
      const logo = Buffer.from('PNG');
      const { html } = composeQuoteMail({ drawing: drawing({ branding }), pdf: logo, logo, portalUrl: null, messageId: '<a@b>' }); // prettier-ignore
      return /src="cid:logo"[^>]*background-color:(#\w+)/.exec(html)?.[1];
    });

    assert.deepEqual(grounds, ['#ffffff', '#7a1f3d']);
  });

  it('throws on a page address that is not of the web', () => {
    assert.throws(() => compose({}, 'javascript:alert(1)'), TypeError);
  });

  it('arrives as text, HTML and COT-12.pdf, from the business, answers going to the seller, without a Bcc', async () => {
    const smtp = await smtpServer();
    const mailer = createMailer({ SMTP_URL: smtp.url, MAIL_FROM: 'cotizaciones@nunez.mx' });

    await mailer.send(
      compose({
        business: { ...UNTAXED, companyName: 'Núñez\r\nBcc: c@d.mx', email: null, phone: null, address: null },
        client: { ...UNTAXED, contactName: EVIL, companyName: null, email: 'maria@cliente.mx', phone: null },
      }),
    );

    await smtp.stop();
    const [{ mail, raw, recipients } = assert.fail()] = smtp.received;
    assert.deepEqual(recipients, ['maria@cliente.mx']);
    assert.equal(mail.headers.has('bcc'), false);
    assert.equal(mail.from?.value[0]?.name, 'Núñez Bcc: c@d.mx');
    assert.equal(mail.from?.value[0]?.address, 'cotizaciones@nunez.mx');
    assert.equal(mail.replyTo?.value[0]?.address, 'ana@nunez.mx');
    assert.equal(mail.subject, 'Cotización COT-12 de Núñez Bcc: c@d.mx: $1,160.00 MXN');
    assert.equal(mail.messageId, '<share.cabc123@nunez.mx>');
    assert.match(raw, /multipart\/mixed[\s\S]*multipart\/alternative[\s\S]*text\/plain[\s\S]*text\/html/);
    assert.match(mail.text ?? '', /Hola, <a href=\/\/evil>/);
    assert.equal(mail.attachments[0]?.filename, 'COT-12.pdf');
    assert.equal(mail.attachments[0]?.contentDisposition, 'attachment');
    assert.equal(mail.attachments[0]?.content.toString(), '%PDF-1.7');
  });
});
