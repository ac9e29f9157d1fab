import assert from 'node:assert/strict';
import { eventually } from '../eventually.ts';
import type { OwnProcess } from '../own-process.ts';
import { type Business, mailsTo, makeQuote, type Quote, register, share, stepsOfShare } from '../journey/business.ts';
import { type Installation, installation } from '../journey/installation.ts';
import { continueProcess, pauseProcess } from '../journey/paused.ts';

/** Tries until the paused worker is given a mail. */
const ROUNDS = 6;

describe('A worker process that is paused', function () {
  this.timeout(540_000);
  let service: Installation;
  let business: Business;

  before(async () => {
    service = await installation();
    business = await register(service);
  });

  it('sends no mail after it resumes, if another worker did its work', async () => {
    // Attempts after the first go to any worker that polls: mostly, not always, some come to either worker.
    for (let round = 1; ; round += 1) {
      const { given, sent } = await mailsWhilePaused(`ronda${round}.test`);
      if (given > 0 && sent > 0) return;
      assert.ok(round < ROUNDS, `${given} mails were given to the paused worker, ${sent} sent by the other one`);
    }
  });

  it('delays a task of a share by five seconds, of the nine that the caller waits', async () => {
    const quote = await makeQuote(service, business);
    await share(service, business, quote);
    const { raw } = await runOf(quote).describe();
    assert.equal(Number(raw.executionConfig?.defaultWorkflowTaskTimeout?.seconds), 5);
  });

  /**
   * Shares while a worker is paused, and asserts that it mails nothing when it resumes. Returns how many mails it was
   * given, and how many the other worker sent.
   */
  async function mailsWhilePaused(domain: string): Promise<{ given: number; sent: number }> {
    // Put off once or twice, each address by itself.
    const mailboxes = ['defer+1', 'defer+01', 'defer+001', 'defer+2', 'defer+02', 'defer+002'];
    const quotes = await Promise.all(mailboxes.map((mailbox) => makeQuote(service, business, mailbox, domain)));
    const frozen = service.processes.worker;
    await service.startWorker();
    // Its polls stay open, so that Temporal goes on giving it work.
    pauseProcess(frozen.pid);
    let before: readonly number[];
    let given: number;
    try {
      await Promise.all(quotes.map((quote) => share(service, business, quote)));
      await eventually(async () =>
        assert.deepEqual((await Promise.all(quotes.map((quote) => stepsOfShare(service, quote)))).flat(), []),
      );
      before = await mailed(quotes);
      given = (await Promise.all(quotes.map(wasGivenToNobody))).filter(Boolean).length;
    } finally {
      continueProcess(frozen.pid);
    }
    // What it was given comes as soon as it goes on, and Temporal refuses the end of it. Where the other one was too slow for
    // an attempt of its own, less comes.
    await eventually(() => assert.ok(refusedMails(frozen) >= given, 'some are to come'), 8_000).catch(() => undefined);
    await frozen.stop();

    assert.deepEqual(await mailed(quotes), before);
    return { given, sent: before.reduce((sum, mails) => sum + mails, 0) };
  }

  /** How many mails came for each. */
  const mailed = async (quotes: readonly Quote[]): Promise<readonly number[]> =>
    (await Promise.all(quotes.map((quote) => mailsTo(service, quote)))).map(({ length }) => length);

  /** Mails of this worker whose end came too late for Temporal, as the SDK logs them: by tokens that name the step. */
  const refusedMails = (worker: OwnProcess): number =>
    [...worker.output().matchAll(/TaskToken\(([\w+/=]+)\)/g)].filter(([, token = '']) =>
      Buffer.from(token, 'base64').toString('latin1').includes('sendQuoteMail'),
    ).length;

  const runOf = ({ workflowId }: Quote) => service.temporal.workflow.getHandle(workflowId);

  /** Whether an attempt at its mail timed out, as one of a paused worker does. */
  async function wasGivenToNobody(quote: Quote): Promise<boolean> {
    const { events } = await runOf(quote).fetchHistory();
    const mail = events?.find(
      ({ activityTaskScheduledEventAttributes: scheduled }) => scheduled?.activityType?.name === 'sendQuoteMail',
    );
    return (events ?? []).some(({ activityTaskStartedEventAttributes: started }) => {
      const isMail = started?.scheduledEventId?.toString() === mail?.eventId?.toString();
      return isMail && Boolean(started?.lastFailure?.timeoutFailureInfo);
    });
  }
});
