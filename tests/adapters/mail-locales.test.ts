import assert from 'node:assert/strict';
import { composeAccountMail } from '../../adapters/mail/account-mail.ts';
import { composeExpiryMail } from '../../adapters/mail/expiry-mail.ts';
import { buildMime, type MailMessage } from '../../adapters/mail/message.ts';
import { composeQuoteMail } from '../../adapters/mail/quote-mail.ts';
import { drawingOf, line } from './pdf-drawings.ts';

const messageId = '<share.c1@nunez.mx>';
const portalUrl = 'https://cotiza.test/p/abc';

/** Words of Spanish mails only. */
const SPANISH = /Hola|Cotización|vigente|Vigente|Fecha|Responda a este correo|enlace|contraseña|usted/;

const WORDS = {
  'en-US': {
    share: {
      subject: 'Quote COT-12 from Ferretería del Bajío: $2,320.00 MXN',
      says: [
        'Hello Jorge Núñez,',
        'You can view it and respond online; it is also attached as a PDF.',
        'Quote: COT-12 (version 2)',
        'To: Construcciones Núñez',
        'Client’s RFC: GODE561231GR8',
        'Issue date: March 5, 2026',
        'Valid until: March 20, 2026',
        'Total: $2,320.00 MXN',
        'View quote:',
        'Reply to this email and Ana Peña will help you.',
      ],
      withoutPage: 'You will find it attached as a PDF.',
    },
    expiry: {
      subject: 'Quote COT-12 from Ferretería del Bajío expires on March 20, 2026',
      says: [
        'This is a reminder that quote COT-12, for $2,320.00 MXN, is valid until March 20, 2026. You can view it and respond online.',
      ],
    },
    invitation: { subject: 'Roble invites you to collaborate', says: ['Accept the invitation:', 'for seven days'] },
    password_reset: {
      subject: 'Change your password for Roble',
      says: ['Someone asked to change the password of your account at Roble.', 'for one hour'],
    },
  },
  'pt-BR': {
    share: {
      subject: 'Orçamento COT-12 de Ferretería del Bajío: $ 2.320,00 MXN',
      says: [
        'Olá, Jorge Núñez,',
        'Você pode vê-lo e respondê-lo online; ele também está anexo em PDF.',
        'Orçamento: COT-12 (versão 2)',
        'Para: Construcciones Núñez',
        'RFC do cliente: GODE561231GR8',
        'Data de emissão: 5 de março de 2026',
        'Válido até: 20 de março de 2026',
        'Total: $ 2.320,00 MXN',
        'Ver orçamento:',
        'Responda a este e-mail e Ana Peña atenderá você.',
      ],
      withoutPage: 'Ele está anexo em PDF.',
    },
    expiry: {
      subject: 'O orçamento COT-12 de Ferretería del Bajío vence em 20 de março de 2026',
      says: [
        'Lembramos que o orçamento COT-12, no valor de $ 2.320,00 MXN, é válido até 20 de março de 2026. Você pode vê-lo e respondê-lo online.',
      ],
    },
    invitation: { subject: 'Roble convida você para colaborar', says: ['Aceitar o convite:', 'por sete dias'] },
    password_reset: {
      subject: 'Altere sua senha de Roble',
      says: ['Alguém solicitou a alteração da senha da sua conta em Roble.', 'por uma hora'],
    },
  },
} as const;

/** With ordinary spaces instead of the non-breaking ones of amounts. */
const plain = (text: string) => text.replaceAll('\u00a0', ' ');
/** The text of the HTML part, with names and values joined as in the text part. */
const visible = (html: string) =>
  plain(html)
    .replace(/<(style|title)[\s\S]*?<\/\1>/g, '')
    .replace(/&#847;|&zwnj;|&nbsp;/g, '')
    .replaceAll('&#39;', "'")
    .replace(/<[^>]*>/g, ' ')
    .replace(/\s+/g, ' ');

for (const locale of ['en-US', 'pt-BR'] as const) {
  describe(`mails in ${locale}`, () => {
    const words = WORDS[locale];
    const base = drawingOf([line('CP-30', { unitPrice: '2000.00' })], { locale, version: 2 });
    const drawing = { ...base, client: { ...base.client, taxId: 'GODE561231GR8' } };

    async function assertSaid(mail: MailMessage, { subject, says }: { subject: string; says: readonly string[] }) {
      const mime = (await buildMime(mail, 'cotiza@nunez.mx')).toString();
      assert.equal(plain(mail.subject), subject);
      assert.match(mime, new RegExp(`^Content-Language: ${locale}\r?$`, 'm'));
      assert.ok(mail.html.includes(`<html lang="${locale}">`));
      // In the HTML part a name has its own cell, without a colon.
      const inHtml = visible(mail.html);
      for (const part of says) {
        assert.ok(plain(mail.text).includes(part), part);
        assert.ok(inHtml.includes(part.replace(/^([^:,.]+): /, '$1 ').replace(/:$/, '')), `${part} in ${inHtml}`);
      }
      assert.doesNotMatch(plain(mail.text) + inHtml, SPANISH);
    }

    it('a share has all its texts in that language, in both parts', async () => {
      const pdf = Buffer.from('%PDF');

      await assertSaid(composeQuoteMail({ drawing, pdf, portalUrl, messageId }), words.share);
      const withoutPage = composeQuoteMail({ drawing, pdf, portalUrl: null, messageId });
      assert.ok(withoutPage.text.includes(words.share.withoutPage));
    });

    it('a reminder of expiry has all its texts in that language', () =>
      assertSaid(composeExpiryMail({ drawing, portalUrl, messageId }), words.expiry));

    for (const kind of ['invitation', 'password_reset'] as const) {
      it(`a mail of kind ${kind} is in the language of the business`, () => {
        const mail = { kind, businessName: 'Roble', locale, user: { name: 'Diana', email: 'diana@roble.test' } };

        return assertSaid(
          composeAccountMail({ mail, token: 't', publicUrl: 'https://x.test', messageId }),
          words[kind],
        );
      });
    }
  });
}
