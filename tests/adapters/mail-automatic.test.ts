import assert from 'node:assert/strict';
import { composeAccountMail } from '../../adapters/mail/account-mail.ts';
import { composeExpiryMail } from '../../adapters/mail/expiry-mail.ts';
import { buildMime, type MailMessage } from '../../adapters/mail/message.ts';
import { composeQuoteMail } from '../../adapters/mail/quote-mail.ts';
import { composeTextMail } from '../../adapters/mail/text-mail.ts';
import { drawingOf, line } from './pdf-drawings.ts';

const messageId = '<a.1@x.test>';
const account = (kind: 'invitation' | 'password_reset') =>
  composeAccountMail({
    mail: { kind, businessName: 'Acme', locale: 'es-MX', user: { name: 'Ana', email: 'ana@x.test' } },
    token: 't',
    publicUrl: 'https://x.test',
    messageId,
  });
const drawing = drawingOf([line('Silla')]);

describe('header Auto-Submitted: auto-generated', () => {
  const automatic: readonly [what: string, mail: MailMessage][] = [
    ['an invitation', account('invitation')],
    ['a new password', account('password_reset')],
    ['the reminder of a quote that expires', composeExpiryMail({ drawing, portalUrl: null, messageId })],
    [
      'an automation',
      composeTextMail({
        business: { companyName: 'Acme', address: null, phone: null, email: null, locale: 'es-MX' },
        to: { name: 'Ana', address: 'ana@x.test' },
        replyTo: { name: 'Luis', address: 'luis@x.test' },
        subject: 'Gracias',
        body: 'Hola',
        messageId,
      }),
    ],
  ];
  for (const [what, mail] of automatic)
    it(`is present in the mail of ${what}`, async () => {
      const source = (await buildMime(mail, 'cotizaciones@x.test')).toString();

      assert.match(source, /^Auto-Submitted: auto-generated\r?$/m);
    });

  it('is absent from the mail with which a person shares a quote', async () => {
    const mail = composeQuoteMail({ drawing, pdf: Buffer.from('%PDF'), portalUrl: null, messageId });

    assert.doesNotMatch((await buildMime(mail, 'cotizaciones@x.test')).toString(), /Auto-Submitted/i);
  });
});
