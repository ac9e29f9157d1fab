import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from '../../dev/ports.ts';
import { httpClient } from '../api/service.ts';
import { eventually } from '../eventually.ts';
import { type OwnProcess, startOwnProcess } from '../own-process.ts';
import {
  type Business,
  eventsOf,
  mailsTo,
  makeQuote,
  type Quote,
  register,
  runOf,
  shareOnce,
  statusOf,
  stepsOfShare,
} from '../journey/business.ts';
import { type Installation, installation } from '../journey/installation.ts';
import { otherWorker } from '../journey/other-worker.ts';
import { unreadableStorage } from './unreadable-storage.ts';

describe('kill -9', () => {
  let service: Installation;
  let business: Business;

  before(async () => {
    service = await installation();
    business = await register(service);
  });
  afterEach(() => service.parts.inbox.setMode('accept'));

  it('API killed right after a commit: the quote exists and its workflow starts', async () => {
    const before = await makeQuote(service, business);
    const port = await freePort();
    const api = await startOwnProcess('tests/system/dying-api.ts', { ...service.env, PORT: String(port) });
    const http = httpClient(`http://127.0.0.1:${port}`);
    const { body: clients } = await http.get('/api/clients', business.owner);
    const items = [{ productName: 'Mesa', quantity: 1, unitPrice: 900 }];

    await assert.rejects(http.post('/api/quotes', { clientId: clients.data[0].id, items }, business.owner));
    await api.kill();

    const quoteNumber = before.quoteNumber + 1;
    const [quote] = await service.rows(
      'select id from quotes where tenant_id = $1 and quote_number = $2',
      business.tenantId,
      quoteNumber,
    );
    assert.ok(quote, `the quote was not committed: ${api.output()}`);
    const handle = service.temporal.workflow.getHandle(`quote.${business.slug}.COT-${quoteNumber}`);
    const run = await eventually(() => handle.describe());
    assert.deepEqual(run.searchAttributes['QuoteId'], [quote['id']]);
  });

  it('API killed during a share: the mail is still sent exactly once', async () => {
    const quote = await makeQuote(service, business);
    service.parts.inbox.setMode('hang');
    const { shared } = await shareUntilMailing(quote);

    await service.processes.api.kill();
    service.parts.inbox.setMode('accept');
    await service.startApi();

    await assert.rejects(shared, 'the caller lost its connection');
    await eventually(async () => assert.equal(await statusOf(service, business, quote), 'SENT'));
    assert.equal((await mailsTo(service, quote)).length, 1);
  });

  it('worker killed during the conversation with the mail server: another one sends the mail, the quote ends SENT', async () => {
    const quote = await makeQuote(service, business);
    service.parts.inbox.setMode('hang');
    const { shared } = await shareUntilMailing(quote);

    await service.processes.worker.kill();
    service.parts.inbox.setMode('accept');
    await service.startWorker();

    await assertSent(quote, shared);
    assert.equal((await mailsTo(service, quote)).length, 1);
  });

  it('worker killed after the mail server accepted the mail, and the next one cannot prepare it: 500, one mail', async () => {
    const quote = await makeQuote(service, business);
    await service.http.post(`/api/quotes/${quote.id}/pdf`, undefined, business.owner);
    await using storage = await unreadableStorage(service.env['S3_ENDPOINT'] ?? '');
    await service.processes.worker.stop();
    const dying = await startOwnProcess('tests/system/dying-mailer.ts', service.env);
    service.processes.worker = dying;
    const answer = untilAnswered(quote, dying);
    await eventually(() => assert.equal(dying.endedBy(), 'SIGKILL'));
    const next = await otherWorker(service, { S3_ENDPOINT: storage.url });

    const { status, body } = await answer;

    await next.giveBack();
    assert.deepEqual([status, body.code], [500, 'mail_failed']);
    assert.equal(await statusOf(service, business, quote), 'GENERATED');
    assert.equal((await mailsTo(service, quote)).length, 1);
  });

  it("worker killed in the middle of a mail: the caller reads share_pending and the execution's id", async () => {
    const quote = await makeQuote(service, business);
    service.parts.inbox.setMode('hang');
    const { shared } = await shareUntilMailing(quote);
    await service.processes.worker.kill();

    const { body } = await shared;

    service.parts.inbox.setMode('accept');
    await service.startWorker();
    assert.equal(body.code, 'share_pending');
    assert.deepEqual(body.run, await runOf(service, quote));
  });

  it('worker killed at any point of eight shares: each quote ends SENT and each client gets its mail', async () => {
    const quotes = await Promise.all(Array.from({ length: 8 }, () => makeQuote(service, business)));
    const shares = quotes.map(async (quote, index) => {
      // At intervals, so that the kill hits each at another step.
      await sleep(index * 60);
      return shareOnce(service, business, quote);
    });
    await eventually(async () => assert.equal((await service.parts.inbox.messages()).some(isOneOf(quotes)), true));

    await service.processes.worker.kill();
    await service.startWorker();

    const shared = await Promise.all(quotes.map((quote, index) => assertSent(quote, shares[index])));
    for (const [index, quote] of quotes.entries()) {
      const mails = await mailsTo(service, quote);
      // Two mails only where the worker died between the server's "250" and receiving it: SMTP cannot be asked
      // afterwards. Both copies then have the same message id, and mail programs show one.
      // A share that its caller repeated on purpose is another message.
      const messages = new Set(mails.map(({ messageId }) => messageId)).size;
      assert.ok(messages >= 1 && messages <= (shared[index] ?? 0), `${messages} messages`);
      assert.ok(mails.length <= 2 * messages, `${mails.length} mails`);
      assert.deepEqual(await eventsOf(service, quote), ['quote.created', 'quote.status_changed', 'quote.sent']);
    }
  });

  /**
   * The quote ends SENT, by its share or by a repeated one when that is allowed. On a slow machine a worker that has
   * just started may exceed the time for preparing a mail: its share ends as `unavailable`, or as `mail_failed` when
   * the killed worker may have sent it. The duration is not asserted: Temporal's pending activities say when a share
   * has ended. Returns how many of its shares may have sent a mail: those with `unavailable` have not, unless the
   * deadline of the request was over.
   */
  async function assertSent(quote: Quote, shared: ReturnType<typeof shareOnce> | undefined): Promise<number> {
    let response = await shared;
    let maySend = 0;
    for (;;) {
      const { status, body } = response ?? assert.fail('it was not shared');
      const isExpected = status === 200 || ['share_pending', 'unavailable', 'mail_failed'].includes(body.code);
      assert.ok(isExpected, JSON.stringify(body));
      if (body.code !== 'unavailable' || body.reason === 'deadline_exceeded') maySend += 1;
      await eventually(async () => assert.deepEqual(await stepsOfShare(service, quote), []));
      if ((await statusOf(service, business, quote)) === 'SENT') return maySend;
      assert.notEqual(status, 200);
      response = await shareOnce(service, business, quote);
    }
  }

  /** Shares under one key until this worker was killed by it and the outcome is known. */
  async function untilAnswered(quote: Quote, dying: OwnProcess): ReturnType<typeof shareOnce> {
    const headers = { ...business.owner, 'Idempotency-Key': quote.id };
    const answer = await service.http.request('POST', `/api/quotes/${quote.id}/share`, { headers });
    const isOver = dying.endedBy() !== null && answer.body.code !== 'share_pending';
    return isOver ? answer : untilAnswered(quote, dying);
  }

  /**
   * Shares until Temporal has dispatched the mail to a worker, and returns the call that is open then. On a busy machine a
   * call may be over before that.
   */
  async function shareUntilMailing(quote: Quote): Promise<{ shared: ReturnType<typeof shareOnce> }> {
    const begin = () => {
      const call = { shared: shareOnce(service, business, quote), isOver: false };
      const end = () => (call.isOver = true);
      call.shared.then(end, end);
      return call;
    };
    let call = begin();
    await eventually(async () => {
      if (call.isOver) call = begin();
      const { raw } = await service.temporal.workflow.getHandle(quote.workflowId).describe();
      const steps = raw.pendingActivities?.map(({ activityType }) => activityType?.name);
      assert.equal(steps?.includes('sendQuoteMail') && !call.isOver, true);
    });
    return call;
  }
});

const isOneOf =
  (quotes: readonly { clientEmail: string }[]) =>
  ({ to }: { readonly to: readonly string[] }): boolean =>
    quotes.some(({ clientEmail }) => to.includes(clientEmail));
