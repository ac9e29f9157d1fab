import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from '../../dev/ports.ts';
import { httpClient } from '../api/service.ts';
import { eventually } from '../eventually.ts';
import { startOwnProcess } from '../own-process.ts';
import {
  type Business,
  eventsOf,
  isSharing,
  mailsTo,
  makeQuote,
  type Quote,
  register,
  runOf,
  share,
  statusOf,
} from './business.ts';
import { type Installation, installation } from './installation.ts';

describe('kill -9', () => {
  let service: Installation;
  let business: Business;

  before(async () => {
    service = await installation();
    business = await register(service);
  });
  afterEach(() => service.parts.inbox.setMode('accept'));

  it('of the API right after a commit: the quote is there and its workflow starts', async () => {
    const before = await makeQuote(service, business);
    const port = await freePort();
    const api = await startOwnProcess('tests/journey/dying-api.ts', { ...service.env, PORT: String(port) });
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

  it('of the API while a caller waits for its share: the mail is sent all the same, once', async () => {
    const quote = await makeQuote(service, business);
    service.parts.inbox.setMode('hang');
    const shared = share(service, business, quote).catch((error: unknown) => error);
    await untilPending(quote.workflowId, 'sendQuoteMail');

    await service.processes.api.kill();
    service.parts.inbox.setMode('accept');
    await service.startApi();

    assert.ok((await shared) instanceof Error, 'the caller lost its connection');
    await eventually(async () => assert.equal(await statusOf(service, business, quote), 'SENT'));
    assert.equal((await mailsTo(service, quote)).length, 1);
  });

  it('of the worker while it talks to the mail server: another one sends the mail, the quote ends SENT', async () => {
    const quote = await makeQuote(service, business);
    service.parts.inbox.setMode('hang');
    const shared = share(service, business, quote);
    await untilPending(quote.workflowId, 'sendQuoteMail');

    await service.processes.worker.kill();
    service.parts.inbox.setMode('accept');
    await service.startWorker();

    await assertSent(quote, shared);
    assert.equal((await mailsTo(service, quote)).length, 1);
  });

  it('of the worker in the middle of a mail: the caller reads share_pending and which run has it', async () => {
    const quote = await makeQuote(service, business);
    service.parts.inbox.setMode('hang');
    const shared = share(service, business, quote);
    await untilPending(quote.workflowId, 'sendQuoteMail');
    await service.processes.worker.kill();

    const { body } = await shared;

    service.parts.inbox.setMode('accept');
    await service.startWorker();
    assert.equal(body.code, 'share_pending');
    assert.deepEqual(body.run, await runOf(service, quote));
  });

  it('of the worker at any point of eight shares: each quote ends SENT and each client gets its mail', async () => {
    const quotes = await Promise.all(Array.from({ length: 8 }, () => makeQuote(service, business)));
    const shares = quotes.map(async (quote, index) => {
      // Apart, so that the kill meets each at another step.
      await sleep(index * 60);
      return share(service, business, quote);
    });
    await eventually(async () => assert.equal((await service.parts.inbox.messages()).some(isOneOf(quotes)), true));

    await service.processes.worker.kill();
    await service.startWorker();

    const asked = await Promise.all(quotes.map((quote, index) => assertSent(quote, shares[index])));
    for (const [index, quote] of quotes.entries()) {
      const mails = await mailsTo(service, quote);
      // Two only where the worker died between the server's "250" and our hearing it: SMTP has no way to ask. Then
      // both copies are one message by their id, and mail programs show one.
      // A share that its caller asked for anew is another message.
      const messages = new Set(mails.map(({ messageId }) => messageId)).size;
      assert.ok(messages >= 1 && messages <= (asked[index] ?? 0), `${messages} messages`);
      assert.ok(mails.length <= 2 * messages, `${mails.length} mails`);
      assert.deepEqual(await eventsOf(service, quote), ['quote.created', 'quote.status_changed', 'quote.sent']);
    }
  });

  /**
   * The quote ends SENT, by its share or by one that its caller asks for when it may. A worker that has just started on a
   * slow machine takes longer to prepare a mail than is tried for: its share ends with nothing sent, unless the killed one
   * had just sent it. How long an answer took is not asked: what Temporal has under way says when a share is over. Returns
   * how many shares it took.
   */
  async function assertSent(quote: Quote, shared: ReturnType<typeof share> | undefined): Promise<number> {
    let told = await shared;
    for (let asked = 1; ; asked += 1) {
      const { status, body } = told ?? assert.fail('it was not shared');
      assert.ok(status === 200 || ['share_pending', 'unavailable'].includes(body.code), JSON.stringify(body));
      await eventually(async () => assert.equal(await isSharing(service, quote), false));
      if ((await statusOf(service, business, quote)) === 'SENT') return asked;
      assert.notEqual(status, 200);
      told = await share(service, business, quote);
    }
  }

  /** Waits until Temporal has given this activity of the run to a worker. */
  async function untilPending(workflowId: string, activity: string): Promise<void> {
    await eventually(async () => {
      const { raw } = await service.temporal.workflow.getHandle(workflowId).describe();
      const types = raw.pendingActivities?.map(({ activityType }) => activityType?.name);
      assert.equal(types?.includes(activity), true);
    });
  }
});

const isOneOf =
  (quotes: readonly { clientEmail: string }[]) =>
  ({ to }: { readonly to: readonly string[] }): boolean =>
    quotes.some(({ clientEmail }) => to.includes(clientEmail));
