import assert from 'node:assert/strict';
import { createServer } from 'node:net';
import { MailMaybeSent, MailRefused, MailUnavailable } from '../../adapters/mail/failures.ts';
import type { MailMessage } from '../../adapters/mail/message.ts';
import { createMailer } from '../../adapters/mail/transport.ts';
import { eventually } from '../eventually.ts';
import { inTime } from '../in-time.ts';
import { type MailServer, refusal, scriptedServer, smtpServer, untilTheBody } from './mail-servers.ts';

const message = (changes: Partial<MailMessage> = {}): MailMessage => ({
  locale: 'es-MX',
  fromName: 'Ferretería Núñez',
  to: { name: 'María', address: 'maria@cliente.mx' },
  replyTo: { name: 'Ana', address: 'ana@nunez.mx' },
  subject: 'Cotización COT-12',
  messageId: '<share.c1@nunez.mx>',
  text: 'Hola',
  html: '<p>Hola</p>',
  attachments: [{ filename: 'COT-12.bin', contentType: 'application/pdf', content: Buffer.alloc(300_000, 'x') }],
  ...changes,
});

/** What send() threw. */
async function attempt(url: string, changes: Partial<MailMessage> = {}) {
  const mailer = createMailer({ SMTP_URL: url, MAIL_FROM: 'cotizaciones@nunez.mx' });
  const failure = await mailer.send(message(changes)).then(
    () => undefined,
    (error: unknown) => error,
  );
  return { failure };
}

describe('createMailer().send', () => {
  let server: MailServer | undefined;
  const started = <T extends MailServer>(one: T): T => {
    server = one;
    return one;
  };
  afterEach(async () => {
    await server?.stop();
    server = undefined;
  });

  it('resolves and delivers one mail with its attachment when the server takes it', async () => {
    const smtp = started(await smtpServer());

    const { failure } = await attempt(smtp.url);

    assert.equal(failure, undefined);
    assert.equal(smtp.received.length, 1);
    const [{ mail, recipients } = assert.fail()] = smtp.received;
    assert.deepEqual(recipients, ['maria@cliente.mx']);
    assert.equal(mail.from?.text, '"Ferretería Núñez" <cotizaciones@nunez.mx>');
    assert.equal(mail.replyTo?.text, '"Ana" <ana@nunez.mx>');
    assert.equal(mail.subject, 'Cotización COT-12');
    assert.equal(mail.messageId, '<share.c1@nunez.mx>');
    assert.equal(mail.attachments[0]?.filename, 'COT-12.bin');
    assert.equal(mail.attachments[0]?.contentType, 'application/pdf');
    assert.equal(mail.attachments[0]?.size, 300_000);
  });

  it('throws MailRefused with code 550 and no address when the server refuses the recipient', async () => {
    const smtp = started(
      await smtpServer({
        onRcptTo: ({ address }, _session, callback) => callback(refusal(550, `<${address}> mailbox unavailable`)),
      }),
    );

    const { failure } = await attempt(smtp.url);

    assert.ok(failure instanceof MailRefused);
    assert.equal(failure.replyCode, 550);
    assert.equal(failure.stage, 'envelope');
    assert.match(failure.message, /mailbox unavailable/);
    assert.doesNotMatch(failure.message, /maria/);
  });

  it('throws MailUnavailable with code 451 when the server defers the recipient, and sends once it takes it', async () => {
    let tries = 0;
    const smtp = started(
      await smtpServer({
        onRcptTo: (_address, _session, callback) =>
          (tries += 1) === 1 ? callback(refusal(451, 'try again later')) : callback(),
      }),
    );

    const first = await attempt(smtp.url);
    const second = await attempt(smtp.url);

    assert.ok(first.failure instanceof MailUnavailable);
    assert.equal(first.failure.replyCode, 451);
    assert.equal(second.failure, undefined);
    assert.equal(smtp.received.length, 1);
  });

  it('sends to a good recipient after a refused one: neither outcome touches the other', async () => {
    const smtp = started(
      await smtpServer({
        onRcptTo: ({ address }, _session, callback) =>
          address.startsWith('bad') ? callback(refusal(550, 'no such user')) : callback(),
      }),
    );
    const mailer = createMailer({ SMTP_URL: smtp.url, MAIL_FROM: 'cotizaciones@nunez.mx' });

    const outcomes = await Promise.allSettled([
      mailer.send(message({ to: { name: '', address: 'bad@cliente.mx' } })),
      mailer.send(message({ to: { name: '', address: 'good@cliente.mx' } })),
    ]);

    assert.deepEqual(
      outcomes.map(({ status }) => status),
      ['rejected', 'fulfilled'],
    );
    assert.deepEqual(
      smtp.received.map(({ recipients }) => recipients),
      [['good@cliente.mx']],
    );
  });

  it('throws MailRefused at stage body when the server answers 552 or 452 to the whole message', async () => {
    const codes = [552, 452];
    const smtp = started(
      await smtpServer({
        onData(stream, _session, callback) {
          stream.resume();
          stream.on('end', () => callback(refusal(codes.shift() ?? 500, 'mailbox full')));
        },
      }),
    );

    const permanent = await attempt(smtp.url);
    const temporary = await attempt(smtp.url);

    assert.ok(permanent.failure instanceof MailRefused);
    assert.equal(permanent.failure.replyCode, 552);
    assert.ok(temporary.failure instanceof MailRefused);
    assert.equal(temporary.failure.replyCode, 452);
    assert.equal(temporary.failure.stage, 'body');
  });

  it('throws MailRefused when the message is larger than the server says it takes, without sending it', async () => {
    const smtp = started(await smtpServer({ size: 10_000 }));

    const { failure } = await attempt(smtp.url);

    assert.ok(failure instanceof MailRefused);
    assert.equal(failure.stage, 'envelope');
    assert.equal(smtp.received.length, 0);
  });

  it('throws MailUnavailable when nothing listens', async () => {
    const closed = createServer().listen(0, '127.0.0.1');
    await new Promise((resolve) => closed.once('listening', resolve));
    const address = closed.address();
    assert.ok(address && typeof address === 'object');
    await new Promise((resolve) => closed.close(resolve));

    const { failure } = await attempt(`smtp://127.0.0.1:${address.port}`);

    assert.ok(failure instanceof MailUnavailable);
    assert.match(failure.message, /ECONNREFUSED/);
  });

  it('throws MailUnavailable within 3 s when the server never greets', async () => {
    const silent = started(await scriptedServer(() => {}));

    const { failure } = await inTime(3_000, attempt(silent.url));

    assert.ok(failure instanceof MailUnavailable);
    assert.equal(failure.stage, 'connect');
  });

  it('throws MailUnavailable within 3.3 s when the server drips one byte at a time and never finishes', async () => {
    const drip = started(
      await scriptedServer((socket) => {
        socket.write('220 ready\r\n');
        const timer = setInterval(() => socket.write('250-a\r\n'), 200);
        socket.on('close', () => clearInterval(timer));
      }),
    );

    const { failure } = await inTime(3_300, attempt(drip.url));

    assert.ok(failure instanceof MailUnavailable);
  });

  it('throws MailRefused when the server greets with 554, MailUnavailable when it greets with 421', async () => {
    const replies = ['554 no mail here', '421 too busy'];
    const rude = started(await scriptedServer((socket) => socket.end(`${replies.shift()}\r\n`)));

    const refused = await attempt(rude.url);
    const busy = await attempt(rude.url);

    assert.ok(refused.failure instanceof MailRefused);
    assert.equal(refused.failure.replyCode, 554);
    assert.ok(busy.failure instanceof MailUnavailable);
    assert.equal(busy.failure.replyCode, 421);
  });

  it('throws MailUnavailable when the server hangs up on DATA, before the message began', async () => {
    const server = started(
      await scriptedServer((socket, heard) => {
        socket.write('220 ready\r\n');
        socket.on('data', () => (heard().includes('DATA') ? socket.destroy() : socket.write('250 ok\r\n')));
      }),
    );

    const { failure } = await attempt(server.url);

    assert.ok(failure instanceof MailUnavailable);
    assert.equal(failure.stage, 'envelope');
  });

  it('throws MailMaybeSent when the connection is lost in the middle of the message', async () => {
    const server = started(await untilTheBody((socket) => socket.destroy()));

    const { failure } = await attempt(server.url);

    assert.ok(failure instanceof MailMaybeSent);
    assert.equal(failure.stage, 'body');
    assert.equal(failure.replyCode, undefined);
  });

  it('throws MailMaybeSent when the connection is lost after the final dot, before the answer', async () => {
    const server = started(
      await untilTheBody((socket, body) => {
        if (body.endsWith('\r\n.\r\n')) socket.destroy();
      }),
    );

    const { failure } = await attempt(server.url);

    assert.ok(failure instanceof MailMaybeSent);
  });

  it('throws MailMaybeSent within 3.3 s when the server takes the message and never answers', async () => {
    const server = started(await untilTheBody(() => {}));

    const { failure } = await inTime(3_300, attempt(server.url));

    assert.ok(failure instanceof MailMaybeSent);
  });

  it('throws MailRefused and opens no connection when the address smuggles a header or a second recipient', async () => {
    const smtp = started(await smtpServer());
    const addresses = [
      'a@b.mx\r\nBcc: c@d.mx',
      'a@b.mx, c@d.mx',
      'bad@@x.mx',
      '"a b"@x.mx',
      'a@b.mx>\r\nRCPT TO:<c@d.mx',
    ];

    const attempts = await Promise.all(addresses.map((address) => attempt(smtp.url, { to: { name: '', address } })));

    assert.ok(attempts.every(({ failure }) => failure instanceof MailRefused && failure.stage === 'address'));
    assert.equal(smtp.connections(), 0);
  });

  it('adds no header when names, subject or reply address carry line breaks', async () => {
    const smtp = started(await smtpServer());

    const { failure } = await attempt(smtp.url, {
      locale: 'es-MX',
      fromName: 'Mala\r\nBcc: c@d.mx',
      to: { name: 'Eva\nBcc: c@d.mx', address: 'eva@cliente.mx' },
      replyTo: { name: 'x', address: 'a@b.mx\r\nBcc: c@d.mx' },
      subject: 'Cotización\r\nBcc: c@d.mx\u202e',
    });

    assert.equal(failure, undefined);
    const [{ mail, recipients } = assert.fail()] = smtp.received;
    assert.deepEqual(recipients, ['eva@cliente.mx']);
    assert.equal(mail.headers.has('bcc'), false);
    assert.equal(mail.headers.has('reply-to'), false);
    assert.equal(mail.subject, 'Cotización Bcc: c@d.mx');
  });

  it('does not show its password to a server that offers no AUTH', async () => {
    let said = '';
    const server = started(
      await scriptedServer((socket, heard) => {
        socket.write('220 ready\r\n');
        socket.on('data', () => {
          said = heard();
          socket.write('250 ok\r\n');
        });
      }),
    );

    const { failure } = await attempt(server.url.replace('smtp://', 'smtp://user:hunter2@'));

    assert.ok(failure instanceof MailUnavailable);
    assert.equal(failure.stage, 'login');
    assert.doesNotMatch(said, /AUTH/);
  });

  it('speaks TLS when the server offers it, and throws MailUnavailable when its certificate is not trusted', async () => {
    const smtp = started(await smtpServer({ disabledCommands: [], authOptional: true }));

    const distrusted = await attempt(smtp.url);
    const result = await attempt(`${smtp.url}?tls.rejectUnauthorized=false`);

    assert.ok(distrusted.failure instanceof MailUnavailable);
    assert.equal(result.failure, undefined);
    assert.match(smtp.received[0]?.raw ?? '', /COT-12/);
    assert.deepEqual(smtp.secured(), [true]);
  });

  describe('with a user and password, to a host that is not loopback', () => {
    // The unspecified address: it reaches this machine and is not counted as loopback.
    const elsewhere = ({ url }: MailServer, query = '') =>
      `${url.replace('smtp://127.0.0.1', 'smtp://user:hunter2@0.0.0.0')}${query}`;

    for (const query of ['', '?requireTLS=false', '?ignoreTLS=true', '?opportunisticTLS=true', '?secure=false']) {
      it(`throws and shows the password to nobody when the server has no STARTTLS, with ${query || 'no query'}`, async () => {
        let heard = '';
        const smtp = started(
          await scriptedServer((socket, text) => {
            socket.write('220 ready\r\n');
            socket.on('data', () => {
              heard = text();
              const line = heard.trimEnd().split('\r\n').at(-1) ?? '';
              if (line.startsWith('EHLO')) socket.write('250-here\r\n250 AUTH PLAIN LOGIN\r\n');
              else socket.write(line.startsWith('AUTH') ? '235 welcome\r\n' : '502 not known\r\n');
            });
          }),
        );

        const { failure } = await attempt(elsewhere(smtp, query));

        assert.ok(failure instanceof MailRefused || failure instanceof MailUnavailable);
        assert.match(heard, /STARTTLS/);
        assert.doesNotMatch(heard, /AUTH/);
      });
    }

    it('signs in over TLS when the server offers it', async () => {
      const smtp = started(
        await smtpServer({
          disabledCommands: [],
          authOptional: false,
          onAuth: (_auth, _session, callback) => callback(null, { user: 'u' }),
        }),
      );

      const { failure } = await attempt(elsewhere(smtp, '?tls.rejectUnauthorized=false'));

      assert.equal(failure, undefined);
      assert.deepEqual(smtp.secured(), [true]);
    });
  });

  it('signs in with the user and password of the address, and throws MailRefused when they are wrong', async () => {
    const smtp = started(
      await smtpServer({
        authOptional: false,
        allowInsecureAuth: true,
        onAuth: ({ password }, _session, callback) =>
          password === 'p@ss' ? callback(null, { user: 'u' }) : callback(refusal(535, 'wrong password')),
      }),
    );

    const right = await attempt(smtp.url.replace('smtp://', 'smtp://user:p%40ss@'));
    const wrong = await attempt(smtp.url.replace('smtp://', 'smtp://user:nope@'));

    assert.equal(right.failure, undefined);
    assert.ok(wrong.failure instanceof MailRefused);
    assert.equal(wrong.failure.replyCode, 535);
    assert.equal(smtp.received.length, 1);
  });
});

describe('createMailer().check', () => {
  it('resolves when the server greets, and throws MailUnavailable when it is gone', async () => {
    const smtp = await smtpServer();
    const mailer = createMailer({ SMTP_URL: smtp.url, MAIL_FROM: 'cotizaciones@nunez.mx' });

    await mailer.check();
    await smtp.stop();

    await assert.rejects(mailer.check(), MailUnavailable);
    assert.equal(smtp.received.length, 0);
  });
});

describe('createMailer().close', () => {
  it('ends a send under way as MailUnavailable when the message had not begun', async () => {
    const silent = await scriptedServer(() => {});
    const mailer = createMailer({ SMTP_URL: silent.url, MAIL_FROM: 'cotizaciones@nunez.mx' });

    const outcome = mailer.send(message()).catch((error: unknown) => error);
    await eventually(() => assert.equal(silent.connections(), 1));
    mailer.close();

    // Its own limit for a greeting is a second and a half.
    assert.ok((await inTime(1_000, outcome)) instanceof MailUnavailable);
    await silent.stop();
  });
});
