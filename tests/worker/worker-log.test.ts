import assert from 'node:assert/strict';
import { Client as TemporalClient, Connection } from '@temporalio/client';
import { newId } from '../../db/ids.ts';
import * as build from '../api/build.ts';
import { type Receiver, receiver } from '../api/receiver.ts';
import { type Service, service } from '../api/service.ts';
import { eventually } from '../eventually.ts';
import { type OwnProcess, startOwnProcess } from '../own-process.ts';
import { needs, testStack } from '../stack.ts';

needs('temporal', 'storage', 'inbox');

type Line = Readonly<Record<string, unknown>> & { readonly level: string; readonly msg: string };

describe('The log of the worker', function workerLog() {
  this.timeout(120_000);
  let app: Service;
  let env: Record<string, string>;
  let worker: OwnProcess;
  let connection: Connection;
  let temporal: TemporalClient;
  let business: build.Business;
  /** Stands in every address that mails go to. */
  const word = `plantado${newId()}`;

  before(async () => {
    app = await service();
    ({ env } = await testStack());
    worker = await startOwnProcess('worker/main.ts', {
      ...env,
      LOG_LEVEL: 'info',
      WEBHOOK_RETRY_SECONDS: '1,1',
    });
    connection = await Connection.connect({ address: env['TEMPORAL_ADDRESS'] ?? '' });
    temporal = new TemporalClient({ connection, namespace: env['TEMPORAL_NAMESPACE'] ?? '' });
    business = await build.business();
  });
  after(async () => {
    await connection.close();
    await worker.stop();
  });

  const texts = () => worker.output().split('\n').slice(0, -1);
  const lines = () => texts().map((text) => JSON.parse(text) as Line);
  /** The lines with that message about that value, once there are so many of them. */
  const linesOf = (message: string, about: unknown, count = 1): Promise<readonly Line[]> =>
    eventually(() => {
      const found = lines().filter((line) => line.msg === message && Object.values(line).includes(about));
      assert.ok(found.length >= count, `${found.length} lines «${message}» about ${String(about)}`);
      return found;
    });

  const quoteFor = async (mailbox: string) => {
    const { id: clientId } = await build.client(business.owner, { email: `${mailbox}@${word}.test` });
    return build.quote(business.owner, { clientId });
  };
  /** Its response is not under test: on a busy machine it is 503, and the share goes on. */
  const share = (quoteId: string) => app.post(`/api/quotes/${quoteId}/share`, undefined, business.owner);

  /** The last attempt at the quote's mail, as Temporal counts: on a busy machine an earlier one may have exceeded its time. */
  async function lastAttemptOf(workflowId: unknown): Promise<unknown> {
    const { events } = await temporal.workflow.getHandle(String(workflowId)).fetchHistory();
    const mail = events?.find(
      ({ activityTaskScheduledEventAttributes: scheduled }) => scheduled?.activityType?.name === 'sendQuoteMail',
    );
    return events
      ?.map(({ activityTaskStartedEventAttributes: started }) => started)
      .findLast((started) => started?.scheduledEventId?.toString() === mail?.eventId?.toString())?.attempt;
  }

  it('has a line for a share that was sent, with its quote, run and Message-ID', async () => {
    const quote = await quoteFor('laura');

    await share(quote.id);

    const [line, ...more] = await linesOf('mail sent', quote.id);
    assert.deepEqual(more, []);
    assert.deepEqual([line?.level, line?.['step'], line?.['tenantId']], ['info', 'sendQuoteMail', business.tenantId]);
    assert.equal(line?.['attempt'], await lastAttemptOf(line?.['workflowId']));
    assert.match(String(line?.['workflowId']), new RegExp(`^quote\\..+\\.COT-${quote.quoteNumber}$`));
    assert.match(String(line?.['runId']), /^[0-9a-f-]{36}$/);
    assert.match(String(line?.['messageId']), /^<share\./);
  });

  for (const code of [550, 554, 571]) {
    it(`has a line for a share that the mail server refused with ${code}`, async () => {
      const quote = await quoteFor(`reject+${code}`);

      await share(quote.id);

      const [line] = await linesOf('mail refused', quote.id);
      assert.deepEqual([line?.level, line?.['replyCode'], line?.['stage']], ['warn', code, 'envelope']);
    });
  }

  it('has a line for each attempt that was put off, and one for the mail that went out after them', async () => {
    const quote = await quoteFor('defer+2');

    await share(quote.id);

    const putOff = await linesOf('mail put off: the server is not available', quote.id, 2);
    const [sent] = await linesOf('mail sent', quote.id);
    const attempts = [...putOff, sent].map((line) => Number(line?.['attempt']));
    assert.deepEqual(
      attempts,
      [...new Set(attempts)].toSorted((a, b) => a - b),
      'in their order, each once',
    );
    assert.equal(attempts.at(-1), await lastAttemptOf(sent?.['workflowId']));
    assert.deepEqual(
      putOff.map(({ level }) => level),
      ['warn', 'warn'],
    );
  });

  it('has a line for a share that was given up because the mail server was away', async () => {
    const quote = await quoteFor('defer+99');

    await share(quote.id);

    const [line] = await linesOf('mail given up', quote.id);
    assert.deepEqual([line?.level, line?.['reason']], ['warn', 'unavailable']);
  });

  it('has a line for the mail of an invitation, sent or refused, with the id of the mail', async () => {
    const invite = async (mailbox: string) => {
      const body = { name: 'Invitado', email: `${mailbox}@${word}${newId()}.test` };
      assert.equal((await app.post('/api/collaborators', body, business.owner)).status, 201);
    };
    await invite('ana');
    await invite('reject+550');

    for (const message of ['mail sent', 'mail refused']) {
      // Mails of other businesses may be due as well.
      const line = await eventually(async () => {
        const found = (await linesOf(message, 'sendAccountMail')).find(
          ({ tenantId }) => tenantId === business.tenantId,
        );
        assert.ok(found, `no line «${message}»`);
        return found;
      });
      assert.match(String(line['workflowId']), new RegExp(`^mail\\.${String(line['mailId'])}$`));
    }
  });

  it('has a line for the mail of an automation that was refused, and one for the run that failed by it', async () => {
    const automating = await build.business();
    const action = { type: 'send_email', to: 'custom', subject: word, body: word };
    const res = await app.post(
      '/api/automations',
      {
        name: word,
        trigger: 'QUOTE_CREATED',
        conditions: [],
        actions: [{ ...action, customEmail: `reject+550@${word}.test` }],
        delayMinutes: 0,
      },
      automating.owner,
    );
    assert.equal(res.status, 201, JSON.stringify(res.body));
    const quote = await build.quote(automating.owner);

    const [failed] = await linesOf('automation run failed', quote.id);
    assert.deepEqual(
      [failed?.level, failed?.['automationId'], failed?.['quoteNumber'], failed?.['reason']],
      ['warn', res.body.id, quote.quoteNumber, 'actions.0 (send_email): el servidor de correo rechazó el mensaje'],
    );
    const [refused] = await linesOf('mail refused', failed?.['workflowId']);
    assert.equal(refused?.['replyCode'], 550);
  });

  describe('of deliveries to a webhook', () => {
    const hooked = async (target: Receiver | string) => {
      const own = await build.business();
      const url = `${typeof target === 'string' ? target : target.url}/${word}`;
      const hook = await app.post('/api/webhooks', { url, events: ['quote.created'] }, own.owner);
      assert.equal(hook.status, 201);
      return { webhookId: String(hook.body.id), quote: await build.quote(own.owner) };
    };

    it('has a line for each attempt that failed and for the end, with what came back and when the next one is', async () => {
      await using endpoint = await receiver((res) => res.writeHead(503).end(word));
      const { webhookId, quote } = await hooked(endpoint);

      const [last] = await linesOf('webhook delivery given up', webhookId);
      const failed = await linesOf('webhook attempt failed', webhookId, 2);

      assert.deepEqual(
        [...failed, last].map((line) => [line?.['number'], line?.['statusCode'], line?.['quoteNumber'], line?.level]),
        [1, 2, 3].map((number) => [number, 503, quote.quoteNumber, 'warn']),
      );
      assert.ok(failed.every(({ nextInMs }) => Number(nextInMs) >= 800 && Number(nextInMs) <= 1_200));
      assert.match(String(last?.['workflowId']), new RegExp(`^hook\\.${webhookId}\\.`));
    });

    it('has a line with the reason for an endpoint that does not answer', async () => {
      const { webhookId } = await hooked('http://127.0.0.1:1');

      const [line] = await linesOf('webhook attempt failed', webhookId);

      assert.deepEqual([line?.['statusCode'], line?.['errorCode']], [0, 'refused']);
    });

    it('has a line for one that was delivered', async () => {
      await using endpoint = await receiver();
      const { webhookId, quote } = await hooked(endpoint);

      const [line] = await linesOf('webhook delivered', webhookId);

      assert.deepEqual([line?.level, line?.['quoteId'], line?.['statusCode']], ['info', quote.id, 200]);
    });
  });

  it('has the lines of Temporal’s SDK in the same form, with the run that they are about', async () => {
    const workflowId = `none.${newId()}`;
    const handle = await temporal.workflow.start('noSuchWorkflow', { workflowId, taskQueue: 'workflows' });

    const [line] = await linesOf('Failing workflow task', handle.firstExecutionRunId);

    await handle.terminate();
    assert.deepEqual([line?.level, line?.['name'], line?.['sdkComponent']], ['warn', 'worker', 'core']);
  });

  it('has a line of the SDK for a step that failed, with its error and without its token', async () => {
    const quote = await quoteFor('reject+553');
    await share(quote.id);

    const failed = await eventually(() => {
      const [refused] = lines().filter(({ msg, quoteId }) => msg === 'mail refused' && quoteId === quote.id);
      return (
        lines().find(({ msg, runId }) => msg === 'Activity failed' && refused && runId === refused['runId']) ??
        assert.fail('no line of the SDK')
      );
    });

    assert.equal(failed['step'], 'sendQuoteMail');
    assert.match(JSON.stringify(failed['err']), /MailRefused: the mail was refused/);
    assert.equal(failed['taskToken'], undefined);
  });

  it('holds nothing but JSON, and no address, subject, name or answer of anybody', () => {
    assert.ok(lines().length > 15);
    assert.deepEqual(
      texts().filter((text) => text.includes(word)),
      [],
    );
  });
});
