import assert from 'node:assert/strict';
import {
  auditOf,
  type Business,
  eventsOf,
  mailsTo,
  makeQuote,
  type Quote,
  register,
  runOf,
  share,
  shareOnce,
  statusOf,
  withinTenSeconds,
} from '../journey/business.ts';
import { type Installation, installation } from '../journey/installation.ts';

describe('share with a failing mail server', () => {
  let service: Installation;
  let business: Business;

  before(async () => {
    service = await installation();
    business = await register(service);
  });
  afterEach(() => service.parts.inbox.setMode('accept'));

  async function assertNotSent(quote: Quote): Promise<void> {
    assert.equal(await statusOf(service, business, quote), 'GENERATED');
    assert.deepEqual(await eventsOf(service, quote), ['quote.created']);
    assert.deepEqual(await auditOf(service, quote), ['create']);
  }

  /** The attempts of each mail step of the quote's execution, as Temporal counts them. */
  async function triesOfMail({ workflowId }: Quote): Promise<readonly unknown[]> {
    const { events } = await service.temporal.workflow.getHandle(workflowId).fetchHistory();
    const mails = (events ?? []).filter(
      ({ activityTaskScheduledEventAttributes: step }) => step?.activityType?.name === 'sendQuoteMail',
    );
    return mails.map(({ eventId }) => {
      const started = events?.find(
        ({ activityTaskStartedEventAttributes: step }) => step && String(step.scheduledEventId) === String(eventId),
      );
      return started?.activityTaskStartedEventAttributes?.attempt;
    });
  }

  /**
   * The response when no mail can be sent. On a slow machine the nine seconds end before the mail is given up: then the
   * share is repeated. Each call is answered within ten seconds.
   */
  async function shareInVain(quote: Quote): ReturnType<typeof shareOnce> {
    const res = await withinTenSeconds(service, shareOnce(service, business, quote));
    return res.body.code === 'share_pending' ? shareInVain(quote) : res;
  }

  /** After five seconds with up to five attempts, by the pauses between them; nine seconds would allow more. */
  async function assertGivenUpInTime(quote: Quote): Promise<void> {
    const tries = await triesOfMail(quote);
    assert.ok(
      tries.every((n) => Number(n) > 1 && Number(n) <= 5),
      `tried ${tries.join(', ')} times`,
    );
  }

  const failed = { status: 500, error: 'Error al enviar el correo', code: 'mail_failed', reason: 'mail_not_accepted' };
  const answer = (res: Awaited<ReturnType<typeof share>>) => ({
    status: res.status,
    error: res.body.error,
    code: res.body.code,
    reason: res.body.reason,
  });

  it('answers 500, names the execution and leaves the quote GENERATED when the server refuses every recipient, and sends once it accepts mail', async () => {
    const quote = await makeQuote(service, business);
    service.parts.inbox.setMode('reject');

    const res = await share(service, business, quote);

    assert.deepEqual(answer(res), failed);
    assert.deepEqual(res.body.run, await runOf(service, quote));
    await assertNotSent(quote);
    assert.equal((await mailsTo(service, quote)).length, 0);

    service.parts.inbox.setMode('accept');
    assert.equal((await share(service, business, quote)).status, 200);
    assert.equal(await statusOf(service, business, quote), 'SENT');
    assert.equal((await mailsTo(service, quote)).length, 1);
  });

  it('answers 500 immediately when the server refuses this address', async () => {
    const quote = await makeQuote(service, business, 'reject+550');

    const res = await share(service, business, quote);

    assert.deepEqual(answer(res), failed);
    // A temporary failure would be retried for five seconds.
    assert.deepEqual(await triesOfMail(quote), [1]);
    await assertNotSent(quote);
  });

  it('answers 200 when the server defers the address twice and then accepts the mail', async () => {
    const quote = await makeQuote(service, business, 'defer+2');

    const res = await share(service, business, quote);

    assert.equal(res.status, 200, JSON.stringify(res.body));
    assert.equal((await mailsTo(service, quote)).length, 1);
  });

  it('answers 500 within ten seconds when nothing listens, and sends no mail later', async () => {
    const quote = await makeQuote(service, business);
    await service.parts.inbox.stop();
    let res;
    try {
      res = await shareInVain(quote);
    } finally {
      await service.startInbox();
    }

    assert.deepEqual(answer(res), failed);
    await assertGivenUpInTime(quote);
    await assertNotSent(quote);

    assert.equal((await share(service, business, quote)).status, 200);
    assert.equal((await mailsTo(service, quote)).length, 1);
  });

  it('answers 500 within ten seconds when the server accepts the connection and never responds', async () => {
    const quote = await makeQuote(service, business);
    service.parts.inbox.setMode('hang');

    const res = await shareInVain(quote);

    assert.deepEqual(answer(res), failed);
    await assertGivenUpInTime(quote);
    await assertNotSent(quote);
  });

  it('answers 500 and sends no second copy when the connection is dropped after the message', async () => {
    const quote = await makeQuote(service, business);
    service.parts.inbox.setMode('drop-after-data');

    const res = await share(service, business, quote);

    assert.deepEqual(answer(res), failed);
    assert.equal((await mailsTo(service, quote)).length, 1);
    await assertNotSent(quote);
  });
});
