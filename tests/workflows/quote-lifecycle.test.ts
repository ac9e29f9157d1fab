import assert from 'node:assert/strict';
import { WorkflowUpdateFailedError } from '@temporalio/client';
import { ApplicationFailure } from '@temporalio/common';
import type { TestWorkflowEnvironment } from '@temporalio/testing';
import { newId } from '../../db/ids.ts';
import { type LifecycleState, queries } from '../../workflows/contract.ts';
import { eventually } from '../eventually.ts';
import './quiet.ts';
import { skippingEnvironment } from './skipping.ts';
import { gate, LifecycleWorld } from './lifecycle-world.ts';

const DAY_MS = 24 * 60 * 60 * 1000;
const fails = (type: string) => async () => {
  throw ApplicationFailure.nonRetryable('as the test wants it', type);
};

describe('quoteLifecycle', () => {
  let env: TestWorkflowEnvironment;
  let world: LifecycleWorld;
  let stopWorking: () => Promise<void>;

  before(async () => {
    env = await skippingEnvironment();
    world = new LifecycleWorld(env);
    stopWorking = await world.work();
  });
  after(async () => {
    await stopWorking();
    await env.teardown();
  });

  describe('share', () => {
    it('stores the PDF, mails it and then marks the quote SENT, in this order', async () => {
      const quote = world.quote();

      assert.deepEqual(await world.share(quote), { outcome: 'sent' });

      const steps = quote.calls.filter((name) => name !== 'readLifecycleState');
      assert.deepEqual(steps, ['ensureQuotePdf', 'sendQuoteMail', 'markQuoteSent']);
    });

    it('passes the key of the stored PDF and the id of the share to the mail', async () => {
      const asked: unknown[] = [];
      const quote = world.quote(
        {},
        {
          ensureQuotePdf: async () => ({ storageKey: 't/1/quotes/2/abc.pdf' }),
          sendQuoteMail: async ({ storageKey, shareId }) => {
            asked.push(storageKey, shareId);
            return { mailed: true };
          },
          markQuoteSent: async ({ shareId }) => void asked.push(shareId),
        },
      );

      await world.share(quote);

      const [storageKey, mailedAs, markedAs] = asked;
      assert.equal(storageKey, 't/1/quotes/2/abc.pdf');
      assert.equal(mailedAs, markedAs);
    });

    it('joins one in flight with the same id; a later one sends again', async () => {
      const shareId = newId();
      const mailing = gate();
      const quote = world.quote({}, { sendQuoteMail: () => mailing.opened.then(() => ({ mailed: true })) });
      const first = world.beginShare(quote, shareId);
      await eventually(() => assert.equal(quote.calls.at(-1), 'sendQuoteMail'));
      const second = world.beginShare(quote, shareId);

      mailing.open();

      assert.deepEqual(await Promise.all([first.result, second.result]), [{ outcome: 'sent' }, { outcome: 'sent' }]);
      assert.equal(count(quote.calls, 'sendQuoteMail'), 1);
      assert.equal(count(quote.calls, 'markQuoteSent'), 1);

      assert.deepEqual(await world.share(quote), { outcome: 'sent' });
      assert.equal(count(quote.calls, 'sendQuoteMail'), 2);
    });

    it('is rejected while one with another id is in flight, which leaves no trace and no effect', async () => {
      const mailing = gate();
      const quote = world.quote({}, { sendQuoteMail: () => mailing.opened.then(() => ({ mailed: true })) });
      const first = world.beginShare(quote);
      await eventually(() => assert.equal(quote.calls.at(-1), 'sendQuoteMail'));

      const refused = await world.share(quote).catch((error: unknown) => error);
      mailing.open();

      assert.ok(refused instanceof WorkflowUpdateFailedError);
      assert.ok(refused.cause instanceof ApplicationFailure);
      assert.equal(refused.cause.type, 'ShareInProgress');
      assert.deepEqual(await first.result, { outcome: 'sent' });
      assert.equal(await world.acceptedUpdates(quote), 1);
      assert.equal(count(quote.calls, 'sendQuoteMail'), 1);
    });

    it('passes the positions of refused recipients on, and closes a share that sent nothing', async () => {
      const marked: unknown[] = [];
      const partly = world.quote(
        {},
        {
          sendQuoteMail: async () => ({ mailed: true, rejected: [1, 3] }),
          markQuoteSent: async ({ rejected }) => void marked.push(rejected),
        },
      );
      const refused = world.quote({}, { sendQuoteMail: fails('ClientChanged') });

      assert.deepEqual(await world.share(partly), { outcome: 'sent' });
      assert.deepEqual(await world.share(refused), { outcome: 'refused', reason: 'client_changed' });

      assert.deepEqual(marked, [[1, 3]]);
      assert.deepEqual([partly, refused].map(({ calls }) => count(calls, 'closeShare')), [0, 1]); // prettier-ignore
    });

    for (const type of ['SmtpRefused', 'SmtpMaybeSent', 'SmtpUnavailable']) {
      it(`ends as mail_failed without a second attempt and without SENT after ${type}`, async () => {
        const quote = world.quote({}, { sendQuoteMail: fails(type) });

        assert.deepEqual(await world.share(quote), { outcome: 'mail_failed' });

        assert.equal(count(quote.calls, 'sendQuoteMail'), 1);
        assert.equal(count(quote.calls, 'markQuoteSent'), 0);
      });
    }

    it('ends as unavailable without mail when the PDF cannot be stored', async () => {
      const quote = world.quote({}, { ensureQuotePdf: fails('DocumentUnavailable') });

      assert.deepEqual(await world.share(quote), { outcome: 'unavailable' });

      assert.equal(count(quote.calls, 'sendQuoteMail'), 0);
    });

    it('ends as refused when the quote or the address of its client no longer exists', async () => {
      const gone = world.quote({}, { ensureQuotePdf: fails('QuoteGone') });
      const mute = world.quote({}, { sendQuoteMail: fails('ClientHasNoEmail') });

      assert.deepEqual(await world.share(gone), { outcome: 'refused', reason: 'quote_not_found' });
      assert.deepEqual(await world.share(mute), { outcome: 'refused', reason: 'client_has_no_email' });
    });

    it('works again after a failed one', async () => {
      const quote = world.quote({}, { sendQuoteMail: fails('SmtpRefused') });
      await world.share(quote);

      quote.steps = {};

      assert.deepEqual(await world.share(quote), { outcome: 'sent' });
    });

    it('draws the quote again when it changed since, and mails the new PDF', async () => {
      let drawn = 0;
      const mailed: string[] = [];
      const quote = world.quote(
        {},
        {
          ensureQuotePdf: async () => ({ storageKey: `version ${(drawn += 1)}` }),
          sendQuoteMail: async ({ storageKey }) => {
            mailed.push(storageKey);
            return { mailed: storageKey === 'version 2' };
          },
        },
      );

      assert.deepEqual(await world.share(quote), { outcome: 'sent' });

      assert.deepEqual(mailed, ['version 1', 'version 2']);
      assert.equal(count(quote.calls, 'markQuoteSent'), 1);
    });

    it('gives up as unavailable after rendering a changing quote three times', async () => {
      const quote = world.quote({}, { sendQuoteMail: async () => ({ mailed: false }) });

      assert.deepEqual(await world.share(quote), { outcome: 'unavailable' });

      assert.equal(count(quote.calls, 'ensureQuotePdf'), 3);
      assert.equal(count(quote.calls, 'markQuoteSent'), 0);
    });

    it('retries a step that failed temporarily', async () => {
      let attempts = 0;
      const flaky = async () => {
        attempts += 1;
        if (attempts < 3) throw new Error('away for a moment');
        return { mailed: true };
      };
      const quote = world.quote({}, { sendQuoteMail: flaky });

      assert.deepEqual(await world.share(quote), { outcome: 'sent' });

      assert.equal(attempts, 3);
    });

    it('finishes although the status becomes final meanwhile; then the execution ends', async () => {
      const mailing = gate();
      const quote = world.quote({}, { sendQuoteMail: () => mailing.opened.then(() => ({ mailed: true })) });
      const { result, handle } = world.beginShare(quote);
      await eventually(() => assert.equal(quote.calls.at(-1), 'sendQuoteMail'));
      quote.record = { ...known(quote.record), status: 'WON' };
      const reads = count(quote.calls, 'readLifecycleState');
      await world.tell(quote, newId());
      await eventually(() => assert.notEqual(count(quote.calls, 'readLifecycleState'), reads));

      mailing.open();

      assert.deepEqual(await result, { outcome: 'sent' });
      await (await handle).result();
      assert.equal(count(quote.calls, 'markQuoteSent'), 1);
    });

    it('of a final quote with a closed execution runs in a new one, which then ends too', async () => {
      const quote = world.quote({ status: 'WON' });

      const first = world.beginShare(quote);
      assert.deepEqual(await first.result, { outcome: 'sent' });
      const { runId } = await (await first.handle).describe();
      await (await first.handle).result();
      const second = world.beginShare(quote);

      assert.deepEqual(await second.result, { outcome: 'sent' });
      const handle = await second.handle;
      await handle.result();
      assert.notEqual((await handle.describe()).runId, runId);
      assert.equal(count(quote.calls, 'sendQuoteMail'), 2);
    });
  });

  describe('event', () => {
    it('makes the lifecycle read the record again, unless it has processed the event before', async () => {
      const quote = world.quote();
      const handle = await world.tell(quote, 'created');
      await eventually(() => assert.equal(count(quote.calls, 'readLifecycleState'), 1));

      await world.tell(quote, 'changed');
      await eventually(() => assert.equal(count(quote.calls, 'readLifecycleState'), 2));
      await world.tell(quote, 'changed');
      await world.tell(quote, 'created', 'changed');
      // A query is answered after all earlier signals.
      await handle.query(queries.currentState);

      assert.equal(count(quote.calls, 'readLifecycleState'), 2);
    });

    it("updates the state in the query's answer and in the search attribute", async () => {
      const quote = world.quote();
      const handle = await world.tell(quote, newId());
      const state = () => handle.query<LifecycleState | undefined>(queries.currentState);
      await eventually(async () => assert.equal((await state())?.status, 'GENERATED'));

      quote.record = { ...known(quote.record), status: 'SENT', version: 2 };
      await world.tell(quote, newId());

      await eventually(async () => assert.deepEqual(await state(), quote.record));
      await eventually(async () => {
        assert.deepEqual((await handle.describe()).searchAttributes['QuoteStatus'], ['SENT']);
      });
    });
  });

  describe('end of the execution', () => {
    it('comes when the status is final and no work is pending', async () => {
      const quote = world.quote({ status: 'SENT' });
      const handle = await world.tell(quote, newId());
      quote.record = { ...known(quote.record), status: 'LOST' };

      await world.tell(quote, newId());
      await handle.result();

      assert.equal((await handle.describe()).status.name, 'COMPLETED');
    });

    it('comes immediately when there is no such quote', async () => {
      const quote = world.quote();
      quote.record = undefined;

      const handle = await world.tell(quote, newId());
      await handle.result();
    });

    it('comes 30 days after an open quote expired, and moves with the expiry', async () => {
      const quote = world.quote({ status: 'SENT', expiresAt: await inDays(15) });
      const handle = await world.tell(quote, newId());
      await eventually(() => assert.equal(count(quote.calls, 'readLifecycleState'), 1));
      await env.sleep('40 days');
      assert.equal((await handle.describe()).status.name, 'RUNNING');

      const expiresAt = await inDays(2);
      quote.record = { ...known(quote.record), expiresAt };
      await world.tell(quote, newId());
      await eventually(() => assert.equal(count(quote.calls, 'readLifecycleState'), 2));
      await handle.result();

      const { closeTime } = await handle.describe();
      const late = Number(closeTime) - (Date.parse(expiresAt) + 30 * DAY_MS);
      assert.ok(late >= 0 && late < 60_000, `it ended ${late} ms late`);
    });

    it('comes immediately when an event arrives long after the expiry', async () => {
      const quote = world.quote({ status: 'SENT', expiresAt: await inDays(-31) });

      const handle = await world.tell(quote, newId());

      // Polled: time does not skip meanwhile, so no timer can have ended it.
      await eventually(async () => assert.equal((await handle.describe()).status.name, 'COMPLETED'));
    });
  });

  /** The server's clock is independent of ours. */
  const inDays = async (days: number) => new Date((await env.currentTimeMs()) + days * DAY_MS).toISOString();
});

const count = (calls: readonly string[], name: string): number => calls.filter((call) => call === name).length;

function known(record: LifecycleState | undefined): LifecycleState {
  assert.ok(record, 'the quote has no record');
  return record;
}
