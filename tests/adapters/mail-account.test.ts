import assert from 'node:assert/strict';
import { composeAccountMail } from '../../adapters/mail/account-mail.ts';
import { messageIdOf } from '../../adapters/mail/quote-mail.ts';
import type { AccountMail } from '../../domain/account-mail.ts';

const TOKEN = 'Yk3v9QmT2nXw7RbL5cHs8JdF1gPzA6eKuV4oNiM0tWE';

const compose = (changes: Partial<AccountMail> = {}) =>
  composeAccountMail({
    mail: {
      kind: 'invitation',
      businessName: 'Ferretería Núñez',
      locale: 'es-MX',
      user: { name: 'Carlos', email: 'carlos@nunez.mx' },
      ...changes,
    },
    token: TOKEN,
    publicUrl: 'https://cotiza.mx',
    messageId: messageIdOf('account', 'cabc123', 'cotizaciones@nunez.mx'),
  });

describe('composeAccountMail', () => {
  it('invites with a link whose token is in the query, and with the token as text, in both parts', () => {
    const { subject, text, html, to, messageId } = compose();

    assert.equal(subject, 'Ferretería Núñez le invita a colaborar');
    assert.deepEqual([to, messageId], [{ name: 'Carlos', address: 'carlos@nunez.mx' }, '<account.cabc123@nunez.mx>']);
    assert.ok(text.includes(`\nhttps://cotiza.mx/invitation?token=${TOKEN}\n`));
    assert.ok(text.includes(`\n${TOKEN}\n`));
    assert.ok(html.includes(`href="https://cotiza.mx/invitation?token=${TOKEN}"`));
    assert.ok(html.includes(`>${TOKEN}</code>`));
    for (const part of [text, html]) assert.match(part, /una sola vez y durante siete días/);
  });

  it('resets with a page of its own and an hour', () => {
    const { subject, text } = compose({ kind: 'password_reset' });

    assert.equal(subject, 'Cambie su contraseña de Ferretería Núñez');
    assert.ok(text.includes(`https://cotiza.mx/reset-password?token=${TOKEN}`));
    assert.match(text, /durante una hora/);
  });

  it('shows markup in names as text, and keeps line breaks out of headers', () => {
    const evil = '<a href=//evil>Pague</a>\r\nBcc: x@y.mx';
    const { subject, html, fromName } = compose({ businessName: evil, user: { name: evil, email: 'carlos@nunez.mx' } });

    assert.ok(!html.includes('<a href=//evil'));
    assert.ok(html.includes('&lt;a href=//evil&gt;'));
    assert.doesNotMatch(subject + fromName, /[\r\n]/);
  });
});
