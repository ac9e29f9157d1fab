import assert from 'node:assert/strict';
import { composeFollowUpMail } from '../../adapters/mail/follow-up-mail.ts';
import { buildMime } from '../../adapters/mail/message.ts';
import { composeChangeRequest, composeClientMessage } from '../../adapters/mail/message-mail.ts';
import { LOCALES } from '../../domain/locale.ts';
import { drawingOf, line } from './pdf-drawings.ts';

const PAGE = 'https://cotizaciones.example/p/token';
const SHARE = '<share.c1@nunez.mx>';
const drawing = drawingOf([line('Cemento', { unitPrice: '1000.00' })]);

describe('Mails about messages and follow-ups', () => {
  for (const locale of LOCALES) {
    it(`a follow-up refers to the share and can be stopped with one click, in ${locale}`, async () => {
      const mail = composeFollowUpMail({
        drawing: { ...drawing, locale },
        logo: null,
        portalUrl: PAGE,
        messageId: '<followup.q1.v1.d3@nunez.mx>',
        inReplyTo: SHARE,
      });

      const mime = (await buildMime(mail, 'cotizaciones@nunez.mx')).toString().replace(/\r\n[ \t]+/g, ' ');

      for (const header of [
        `In-Reply-To: ${SHARE}`,
        `References: ${SHARE}`,
        `List-Unsubscribe: <${PAGE}/stop-reminders>`,
        'List-Unsubscribe-Post: List-Unsubscribe=One-Click',
        'Auto-Submitted: auto-generated',
        `Content-Language: ${locale}`,
      ])
        assert.ok(mime.includes(`${header}\r\n`), header);
      assert.match(mail.subject, /^Re: /);
      for (const part of [mail.text, mail.html]) assert.ok(part.includes(`${PAGE}/stop-reminders`));
    });
  }

  it('a message shows markup as text in both parts, with replies to its author', () => {
    const author = { name: 'Diana', address: 'diana@acme.test' };
    const body = 'Uno <b>dos</b>\n\nTres';

    const mail = composeClientMessage({
      drawing,
      author,
      body,
      portalUrl: PAGE,
      messageId: '<message.m1@nunez.mx>',
      inReplyTo: SHARE,
    });

    assert.ok(mail.text.startsWith(body));
    assert.ok(mail.html.includes('Uno &lt;b&gt;dos&lt;/b&gt;'));
    assert.deepEqual([mail.replyTo, mail.inReplyTo, mail.isAutomatic], [author, SHARE, undefined]);
  });

  it('a change request has no Reply-To when the client has no address on record, whatever was typed', () => {
    const mail = composeChangeRequest({
      business: { companyName: 'Acme', locale: 'es-MX' },
      to: { name: 'Diana', address: 'diana@acme.test' },
      client: { name: 'Laura', address: null },
      label: 'COT-12',
      version: 2,
      typed: { name: 'Otra', email: 'otra@intruso.test' },
      body: 'Más barato',
      messageId: '<message.m2@nunez.mx>',
    });

    assert.equal(mail.replyTo, null);
    assert.equal(mail.subject, 'Laura pidió cambios a la cotización COT-12');
    for (const part of [mail.text, mail.html]) assert.ok(part.includes('Otra · otra@intruso.test'));
  });
});
