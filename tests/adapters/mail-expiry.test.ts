import assert from 'node:assert/strict';
import { composeExpiryMail } from '../../adapters/mail/expiry-mail.ts';
import { messageIdOf } from '../../adapters/mail/quote-mail.ts';
import { createMailer } from '../../adapters/mail/transport.ts';
import type { QuoteDrawing } from '../../domain/quote-drawing.ts';
import { smtpServer } from './mail-servers.ts';
import { drawingOf, line, UNTAXED } from './pdf-drawings.ts';

const compose = (changes: Partial<QuoteDrawing> = {}, portalUrl: string | null = null, logo: Buffer | null = null) =>
  composeExpiryMail({
    drawing: { ...drawingOf([line('Cemento', { unitPrice: '1000.00' })]), ...changes },
    logo,
    portalUrl,
    messageId: messageIdOf('expiry', 'cabc123.v1', 'cotizaciones@nunez.mx'),
  });

describe('composeExpiryMail', () => {
  it('says in subject and both parts until when the quote is valid, with its number and total', () => {
    const { subject, text, html, messageId } = compose();

    assert.equal(subject, 'La cotización COT-12 de Ferretería del Bajío vence el 20 de marzo de 2026');
    assert.equal(messageId, '<expiry.cabc123.v1@nunez.mx>');
    for (const part of [text, html]) {
      assert.match(part, /Hola, Jorge Núñez:/);
      assert.match(part, /la cotización COT-12, por \$1,160\.00 MXN, está vigente hasta el 20 de marzo de 2026\./);
      assert.match(part, /Responda a este correo y Ana Peña le atenderá/);
    }
  });

  it('has a button to the page where there is one, and neither link nor button where there is none', () => {
    const withPage = compose({}, 'https://cotiza.mx/p/abc');
    const without = compose();

    assert.match(withPage.html, /href="https:\/\/cotiza\.mx\/p\/abc"/);
    assert.match(
      withPage.text,
      /Puede verla y responderla en línea[\s\S]*Ver cotización:\nhttps:\/\/cotiza\.mx\/p\/abc\n/,
    );
    assert.doesNotMatch(without.html, /<a /);
    assert.doesNotMatch(without.text, /en línea|https/);
  });

  it('wears the colours and the logo of the business, and carries no PDF', () => {
    const branding = { primaryColor: '#7a1f3d', logoKey: 'l' };

    const { html, attachments } = compose({ branding }, 'https://cotiza.mx/p/abc', Buffer.from('PNG'));

    assert.match(html, /border-top:6px solid #7a1f3d/);
    assert.match(html, /bgcolor="#7a1f3d"/);
    assert.deepEqual(
      attachments.map(({ filename, cid }) => [filename, cid]),
      [['logo.png', 'logo']],
    );
  });

  it('adds no header when names carry line breaks, and shows markup as text', async () => {
    const smtp = await smtpServer();
    const mailer = createMailer({ SMTP_URL: smtp.url, MAIL_FROM: 'cotizaciones@nunez.mx' });
    const evil = 'Núñez\r\nBcc: c@d.mx\r\n\r\n<b>x</b>';

    await mailer.send(
      compose({
        business: { ...UNTAXED, companyName: evil, email: null, phone: null, address: evil },
        seller: { name: evil, email: 'ana@nunez.mx' },
        client: { ...UNTAXED, contactName: evil, companyName: evil, email: 'maria@cliente.mx', phone: null },
      }),
    );

    await smtp.stop();
    const [{ mail, recipients } = assert.fail()] = smtp.received;
    assert.deepEqual(recipients, ['maria@cliente.mx']);
    assert.equal(mail.headers.has('bcc'), false);
    assert.equal(mail.subject, 'La cotización COT-12 de Núñez Bcc: c@d.mx <b>x</b> vence el 20 de marzo de 2026');
    assert.equal(mail.from?.value[0]?.name, 'Núñez Bcc: c@d.mx <b>x</b>');
    assert.equal(mail.replyTo?.value[0]?.address, 'ana@nunez.mx');
    assert.doesNotMatch(String(mail.html), /<b>x/);
  });
});
