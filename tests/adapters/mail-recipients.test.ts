import assert from 'node:assert/strict';
import { MailRefused, MailUnavailable } from '../../adapters/mail/failures.ts';
import type { MailMessage } from '../../adapters/mail/message.ts';
import { createMailer, type SendOptions } from '../../adapters/mail/transport.ts';
import { refusal, smtpServer } from './mail-servers.ts';

const message = (changes: Partial<MailMessage>): MailMessage => ({
  locale: 'es-MX',
  fromName: 'Muebles Roble',
  to: { name: 'Laura', address: 'laura@cliente.test' },
  replyTo: null,
  subject: 'Cotización COT-12',
  messageId: '<share.c1@roble.test>',
  text: 'Hola',
  html: '<p>Hola</p>',
  attachments: [{ filename: 'COT-12.pdf', contentType: 'application/pdf', content: Buffer.alloc(100_000, 'x') }],
  ...changes,
});
const address = (local: string) => ({ name: '', address: `${local}@cliente.test` });

/** A server that refuses addresses that begin with "no", and defers those that begin with "later" so many times. */
async function choosyServer({ hidePIPELINING = false, deferrals = Infinity } = {}) {
  let deferred = 0;
  return smtpServer({
    hidePIPELINING,
    onRcptTo({ address: given }, _session, answer) {
      if (given.startsWith('no')) return answer(refusal(550, 'no such user'));
      if (given.startsWith('later') && (deferred += 1) <= deferrals) return answer(refusal(451, 'try again later'));
      return answer();
    },
  });
}

for (const hidePIPELINING of [false, true]) {
  describe(`A mail to several recipients, ${hidePIPELINING ? 'without' : 'with'} PIPELINING`, () => {
    let server: Awaited<ReturnType<typeof smtpServer>>;
    const start = async (options: { deferrals?: number } = {}) => {
      server = await choosyServer({ hidePIPELINING, ...options });
    };
    afterEach(() => server.stop());

    const send = (changes: Partial<MailMessage>, options: SendOptions = {}) =>
      createMailer({ SMTP_URL: server.url, MAIL_FROM: 'cotizaciones@roble.test' })
        .send(message(changes), options)
        .catch((error: unknown) => error);
    const recipients = () => server.received.map((mail) => mail.recipients);

    it('is one message in one conversation, and names all in To and Cc', async () => {
      await start();

      const sent = await send({
        alsoTo: [address('luis')],
        cc: [{ name: 'Ana\r\nBcc: x', address: 'ana@diseño.test' }],
      });

      assert.deepEqual(sent, { rejected: [] });
      // The test server shows domains in Unicode.
      assert.deepEqual(recipients(), [['laura@cliente.test', 'luis@cliente.test', 'ana@diseño.test']]);
      assert.equal(server.connections(), 1);
      const [{ raw } = assert.fail()] = server.received;
      assert.match(raw, /^To: Laura <laura@cliente.test>, luis@cliente.test\r$/m);
      assert.match(raw, /^Cc: "Ana Bcc: x" <ana@xn--diseo-rta.test>\r$/m);
      assert.doesNotMatch(raw, /^Bcc:/m);
    });

    it('goes to the others and names the refused ones', async () => {
      await start();

      const sent = await send({ alsoTo: [address('nobody')], cc: [address('no-one'), address('ana')] });

      assert.deepEqual(sent, { rejected: ['nobody@cliente.test', 'no-one@cliente.test'] });
      assert.deepEqual(recipients(), [['laura@cliente.test', 'ana@cliente.test']]);
    });

    it('throws MailRefused and sends nothing when no `to` is accepted, although a copy is', async () => {
      await start();

      const failure = await send({ to: address('nobody'), cc: [address('ana')] });

      assert.ok(failure instanceof MailRefused, String(failure));
      assert.deepEqual([failure.stage, failure.replyCode], ['envelope', 550]);
      assert.doesNotMatch(failure.message, /nobody/);
      assert.deepEqual(recipients(), []);
    });

    it('throws MailUnavailable and sends nothing while one is deferred, then reaches all once', async () => {
      await start({ deferrals: 1 });
      const to = { alsoTo: [address('later')] };

      const failure = await send(to);
      const sent = await send(to);

      assert.ok(failure instanceof MailUnavailable, String(failure));
      assert.equal(failure.replyCode, 451);
      assert.deepEqual(sent, { rejected: [] });
      assert.deepEqual(recipients(), [['laura@cliente.test', 'later@cliente.test']]);
    });

    it('goes without the deferred ones when told to, unless they are all of `to`', async () => {
      await start();

      const sent = await send({ cc: [address('later')] }, { skipDeferred: true });
      const failure = await send({ to: address('later'), cc: [address('ana')] }, { skipDeferred: true });

      assert.deepEqual(sent, { rejected: ['later@cliente.test'] });
      assert.ok(failure instanceof MailUnavailable, String(failure));
      assert.deepEqual(recipients(), [['laura@cliente.test']]);
    });

    it('leaves out an address that is none', async () => {
      await start();

      const sent = await send({ cc: [{ name: '', address: 'a@b.test>\r\nRCPT TO:<c@d.test' }] });

      assert.deepEqual(sent, { rejected: ['a@b.test>\r\nRCPT TO:<c@d.test'] });
      assert.deepEqual(recipients(), [['laura@cliente.test']]);
    });
  });
}
