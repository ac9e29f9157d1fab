import assert from 'node:assert/strict';
import { Writable } from 'node:stream';
import { MockActivityEnvironment } from '@temporalio/testing';
import { giveUpMailAfter, loggedMailer } from '../../activities/mail-outcomes.ts';
import { temporalLogger } from '../../worker/temporal-log.ts';
import { createLog } from '../../adapters/log.ts';
import { createMailer } from '../../adapters/mail/transport.ts';
import { freePort } from '../../dev/ports.ts';
import { untilTheBody } from '../adapters/mail-servers.ts';

/** A log, and the lines that it wrote, without what every line has. */
function capture(level: 'info' | 'trace' = 'info') {
  const lines: Record<string, unknown>[] = [];
  const destination = new Writable({
    write(chunk: Buffer, _encoding, done) {
      const {
        time: _time,
        pid: _pid,
        hostname: _host,
        name: _name,
        ...line
      } = JSON.parse(chunk.toString()) as Record<string, unknown>;
      lines.push(line);
      done();
    },
  });
  return { log: createLog({ level, name: 'worker' }, destination), lines };
}

const message = {
  locale: 'es-MX',
  fromName: 'Ferretería Núñez',
  to: { name: 'María', address: 'maria@cliente.mx' },
  replyTo: null,
  subject: 'Cotización COT-12',
  messageId: '<share.c1@nunez.mx>',
  text: 'Hola',
  html: '<p>Hola</p>',
  attachments: [],
} as const;

describe('The line of a mail', () => {
  const sending = async (url: string) => {
    const { log, lines } = capture();
    const mailer = loggedMailer(createMailer({ SMTP_URL: url, MAIL_FROM: 'cotizaciones@nunez.mx' }), log);
    await assert.rejects(mailer.send(message));
    mailer.close();
    return lines;
  };

  it('says that it may have been sent when the server hung up within the message', async () => {
    const server = await untilTheBody((socket) => socket.destroy());

    const lines = await sending(server.url);

    await server.stop();
    assert.equal(lines.length, 1);
    const [{ level, msg, messageId, stage } = {}] = lines;
    assert.deepEqual(
      { level, msg, messageId, stage },
      {
        level: 'warn',
        msg: 'mail may have been sent: the server did not answer',
        messageId: '<share.c1@nunez.mx>',
        stage: 'body',
      },
    );
    assert.doesNotMatch(JSON.stringify(lines), /mar[ií]a|cliente\.mx|COT-12|Hola/i);
  });

  it('says that it is put off when nobody listens, with the reason', async () => {
    const lines = await sending(`smtp://127.0.0.1:${await freePort()}`);

    assert.deepEqual(
      lines.map(({ msg, stage }) => [msg, stage]),
      [['mail put off: the server is not available', 'connect']],
    );
    assert.match(String(lines[0]?.['reason']), /ECONNREFUSED/);
  });

  it('says that it is given up once its time is over, and nothing before', async () => {
    const { log, lines } = capture();
    const away = new Error('away');
    const after = (waitedMs: number) => {
      const step = () => Promise.resolve(giveUpMailAfter(away, { log, afterMs: 1_000 }));
      return new MockActivityEnvironment({ scheduledTimestampMs: Date.now() - waitedMs }).run<[], unknown, typeof step>(
        step,
      );
    };

    assert.equal(await after(0), away);
    assert.deepEqual(lines, []);
    assert.notEqual(await after(2_000), away);
    assert.deepEqual(lines, [{ level: 'warn', reason: 'unavailable', msg: 'mail given up' }]);
  });
});

describe('temporalLogger', () => {
  const LEVELS = ['trace', 'debug', 'info', 'warn', 'error'] as const;

  for (const level of LEVELS) {
    it(`writes what the SDK logs at ${level} at that level`, () => {
      const { log, lines } = capture('trace');

      temporalLogger(log)[level]('said', { workflowId: 'w' });

      assert.deepEqual(lines, [{ level, workflowId: 'w', msg: 'said' }]);
    });
  }

  it('names run and step as our lines do, describes the error and drops the token of the task', () => {
    const { log, lines } = capture();

    temporalLogger(log).log('WARN', 'Activity failed', {
      workflowRunId: 'r',
      activityType: 'deliver',
      taskToken: 'dG9rZW4=',
      error: new Error('broken'),
    });

    const [{ err, ...line } = {}] = lines;
    assert.deepEqual(line, { level: 'warn', runId: 'r', step: 'deliver', msg: 'Activity failed' });
    assert.equal((err as { message: string }).message, 'broken');
  });

  it('leaves out what is below the level of the log, and takes a line without members', () => {
    const { log, lines } = capture();

    temporalLogger(log).debug('quiet');
    temporalLogger(log).info('heard');

    assert.deepEqual(lines, [{ level: 'info', msg: 'heard' }]);
  });
});
