import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { ApplicationFailure } from '@temporalio/common';
import { MockActivityEnvironment } from '@temporalio/testing';
import { createDocumentActivities } from '../../activities/documents.ts';
import { createMailActivities } from '../../activities/mail.ts';
import { TooSlow } from '../../activities/deadline.ts';
import { createRecordActivities } from '../../activities/records.ts';
import { createPdfRenderer } from '../../adapters/pdf/renderer.ts';
import { readWorkerConfig, type WorkerConfig } from '../../adapters/config.ts';
import { MailUnavailable } from '../../adapters/mail/failures.ts';
import { createMailer } from '../../adapters/mail/transport.ts';
import type { Storage } from '../../adapters/storage.ts';
import type { Deps } from '../../api/deps.ts';
import { newId } from '../../db/ids.ts';
import type { ShareInput } from '../../workflows/contract.ts';
import { png } from '../adapters/image-files.ts';
import { drawingOf, line } from '../adapters/pdf-drawings.ts';
import * as build from '../api/build.ts';
import { service } from '../api/service.ts';
import { needs, testStack } from '../stack.ts';
import { attempts } from './attempts.ts';
import { rows } from '../worker/dispatcher-world.ts';
import { createActivityPermits } from '../../activities/permits.ts';

needs('temporal', 'storage', 'inbox');

/** The steps of a share, each as Temporal runs it, against the real servers. */
describe('A step of a share', () => {
  let deps: Deps;
  let config: WorkerConfig;
  let business: build.Business;

  before(async () => {
    ({ deps } = await service());
    config = readWorkerConfig((await testStack()).env);
    business = await build.business();
  });

  /** Runs a step as an activity's first attempt, scheduled so many milliseconds ago. */
  function run<Result>(step: () => Promise<Result>, scheduledMsAgo = 0): Promise<Result> {
    const scheduledTimestampMs = Date.now() - scheduledMsAgo;
    const env = new MockActivityEnvironment({
      scheduledTimestampMs,
      currentAttemptScheduledTimestampMs: scheduledTimestampMs,
    });
    return env.run<[], Result, typeof step>(step);
  }

  /** The mail of a share, again where this machine took too long to prepare it, as Temporal would: nothing was sent. */
  async function mailed(step: () => Promise<{ readonly mailed: boolean }>, triesLeft = 2): Promise<boolean> {
    try {
      return (await run(step)).mailed;
    } catch (error) {
      if (triesLeft === 0 || !(error instanceof TooSlow)) throw error;
      return mailed(step, triesLeft - 1);
    }
  }

  async function shareInput(clientFields: Record<string, unknown> = {}) {
    const client = await build.client(business.owner, clientFields);
    const { id } = await build.quote(business.owner, { clientId: client.id });
    const input: ShareInput = {
      quote: { tenantId: business.tenantId, quoteId: id },
      shareId: newId(),
      by: { kind: 'user', userId: business.userId },
      requestId: null,
    };
    return { ...input, email: client.email };
  }

  /** No timer fires, and nothing is heard of, as when the process was stopped. */
  const standStill = (ms: number) => void Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);

  const isNonRetryable = (type: string) => (error: unknown) =>
    error instanceof ApplicationFailure && error.type === type && error.nonRetryable === true;

  describe('ensureQuotePdf', () => {
    it('draws and stores the PDF once, and again under another key when the quote shows something else', async () => {
      const { quote } = await shareInput();
      let drawn = 0;
      const pdf = {
        ...deps.pdf,
        render: (...args: Parameters<typeof deps.pdf.render>) => {
          drawn += 1;
          return deps.pdf.render(...args);
        },
      };
      const documents = createDocumentActivities({ ...deps, pdf });

      const first = await run(() => documents.ensureQuotePdf(quote));
      assert.deepEqual(await run(() => documents.ensureQuotePdf(quote)), first);
      assert.equal(drawn, 1);
      assert.equal((await deps.storage.get(first.storageKey)).subarray(0, 5).toString(), '%PDF-');

      await rows('update quotes set notes = $1 where id = $2', 'Entrega en dos semanas', quote.quoteId);
      const second = await run(() => documents.ensureQuotePdf(quote));

      assert.notEqual(second.storageKey, first.storageKey);
      assert.equal(drawn, 2);
      const files = await rows('select storage_key from files where quote_id = $1', quote.quoteId);
      assert.deepEqual(
        new Set(files.map((file) => file['storage_key'])),
        new Set([first.storageKey, second.storageKey]),
      );
    });

    it('ends as throttled, however long it waited, while its tenant holds the threads that it may', async () => {
      const { quote } = await shareInput();
      const pdf = createPdfRenderer();
      const documents = createDocumentActivities({ ...deps, pdf });
      const running = pdf.render(drawingOf(Array.from({ length: 50 }, () => line('palabra '.repeat(248)))), {
        key: quote.tenantId,
      });

      await assert.rejects(
        run(() => documents.ensureQuotePdf(quote), 60_000),
        (error) => error instanceof ApplicationFailure && error.type === 'Throttled' && !error.nonRetryable,
      );

      await running;
      await run(() => documents.ensureQuotePdf(quote));
      await pdf.close();
    });

    it('is final at once for a quote of another business', async () => {
      const { quote } = await shareInput();
      const other = await build.business();
      const documents = createDocumentActivities(deps);

      await assert.rejects(
        run(() => documents.ensureQuotePdf({ ...quote, tenantId: other.tenantId })),
        isNonRetryable('QuoteGone'),
      );
    });

    it('may be tried again while the storage is away, and is final four seconds after it was scheduled', async () => {
      const { quote } = await shareInput();
      const documents = createDocumentActivities({ ...deps, storage: unreachable(deps.storage) });

      await assert.rejects(
        run(() => documents.ensureQuotePdf(quote)),
        (error) => !isNonRetryable('DocumentUnavailable')(error),
      );
      await assert.rejects(
        run(() => documents.ensureQuotePdf(quote), 4_100),
        isNonRetryable('DocumentUnavailable'),
      );
    });
  });

  describe('sendQuoteMail', () => {
    const withDeps = (changes: { storage?: Storage } = {}) =>
      createMailActivities({
        ...deps,
        ...changes,
        mailer: createMailer(config),
        mailFrom: config.MAIL_FROM,
        publicUrl: deps.config.PUBLIC_URL,
        permits: createActivityPermits(),
      });

    async function mailsTo(email: string) {
      const { inbox } = await testStack();
      return (await inbox?.messages())?.filter(({ to }) => to.includes(email)) ?? [];
    }

    it('mails the stored PDF under an id made from the share', async () => {
      const { email, ...input } = await shareInput();
      const { storageKey } = await run(() => createDocumentActivities(deps).ensureQuotePdf(input.quote));

      assert.equal(await mailed(() => withDeps().sendQuoteMail({ ...input, storageKey })), true);

      const [mail] = await mailsTo(email);
      assert.match(mail?.messageId ?? '', new RegExp(`share\\.${input.shareId}@`));
      assert.equal(mail?.attachments[0]?.size, (await deps.storage.get(storageKey)).length);
    });

    it('mails the quote without a stored logo that is broken, and with one that is sound', async () => {
      const { email, ...input } = await shareInput();
      const { tenantId } = input.quote;
      const logoKey = `t/${tenantId}/logo/${'0'.repeat(64)}.png`;
      await rows('update tenants set logo_key = $1 where id = $2', logoKey, tenantId);
      const logo = await png({ width: 90, height: 60 });
      const share = async (file: Buffer) => {
        await deps.storage.put(logoKey, file, 'image/png');
        const { storageKey } = await run(() => createDocumentActivities(deps).ensureQuotePdf(input.quote));
        await mailed(() => withDeps().sendQuoteMail({ ...input, storageKey }));
        return (await mailsTo(email))[0]?.attachments.map(({ contentType }) => contentType);
      };

      const broken = await share(logo.subarray(0, logo.length / 2));
      const sound = await share(logo);
      await rows('update tenants set logo_key = null where id = $1', tenantId);

      assert.deepEqual(broken, ['application/pdf']);
      assert.deepEqual(new Set(sound), new Set(['application/pdf', 'image/png']));
    });

    it('mails nothing when the quote was changed since the PDF was stored', async () => {
      const { email, ...input } = await shareInput();
      const { storageKey } = await run(() => createDocumentActivities(deps).ensureQuotePdf(input.quote));
      await rows('update quotes set notes = $1 where id = $2', 'otra cosa', input.quote.quoteId);

      assert.equal(await mailed(() => withDeps().sendQuoteMail({ ...input, storageKey })), false);

      assert.deepEqual(await mailsTo(email), []);
    });

    it('is final at once when the address was taken from the client', async () => {
      const { email, ...input } = await shareInput();
      await rows('update clients set email = null where email = $1', email);

      await assert.rejects(
        mailed(() => withDeps().sendQuoteMail({ ...input, storageKey: 'any' })),
        isNonRetryable('ClientHasNoEmail'),
      );
    });

    it('mails nothing in an attempt that waited while the process stood still, and once in the next', async () => {
      const { email, ...input } = await shareInput();
      const { storageKey } = await run(() => createDocumentActivities(deps).ensureQuotePdf(input.quote));
      const mails = withDeps();
      const attempt = () => mails.sendQuoteMail({ ...input, storageKey });

      standStill(2_500);

      await assert.rejects(
        run(attempt, 1_000),
        (error) => error instanceof ApplicationFailure && error.type === 'AttemptOvertaken' && !error.nonRetryable,
      );
      assert.deepEqual(await mailsTo(email), []);
      assert.equal(await mailed(attempt), true);
      assert.equal((await mailsTo(email)).length, 1);
    });

    it('mails nothing when the process stood still while it read the quote, though all of it had come', async () => {
      const { email, ...input } = await shareInput();
      const { storageKey } = await run(() => createDocumentActivities(deps).ensureQuotePdf(input.quote));
      const paused: Storage = {
        ...deps.storage,
        async get(key) {
          const found = await deps.storage.get(key);
          standStill(1_000);
          return found;
        },
      };

      await assert.rejects(
        run(() => withDeps({ storage: paused }).sendQuoteMail({ ...input, storageKey })),
        /no result within 800 ms/,
      );
      assert.deepEqual(await mailsTo(email), []);
    });

    it('mails nothing in an attempt that has too little time left, for the next one could mail too', async () => {
      const { email, ...input } = await shareInput();
      const { storageKey } = await run(() => createDocumentActivities(deps).ensureQuotePdf(input.quote));
      let read: Promise<Buffer> | undefined;
      const slow: Storage = {
        ...deps.storage,
        get: (key) => (read = new Promise((resolve) => setTimeout(() => resolve(deps.storage.get(key)), 1_500))),
      };

      await assert.rejects(
        run(() => withDeps({ storage: slow }).sendQuoteMail({ ...input, storageKey })),
        (error) => !(error instanceof ApplicationFailure),
      );
      await assert.rejects(
        run(() => withDeps({ storage: slow }).sendQuoteMail({ ...input, storageKey }), 5_000),
        isNonRetryable('DocumentUnavailable'),
      );
      await read;
      assert.deepEqual(await mailsTo(email), []);
    });

    describe('after an attempt that mailed and was lost with its worker', () => {
      /** A share that was mailed once; its next attempts are still to come. */
      async function lostAfterMail() {
        const { email, ...input } = await shareInput();
        const { storageKey } = await run(() => createDocumentActivities(deps).ensureQuotePdf(input.quote));
        const attempt = attempts();
        const step = (storage = deps.storage) => withDeps({ storage }).sendQuoteMail({ ...input, storageKey });
        // Again where this machine took too long to prepare it.
        while (!(await attempt(step).catch(ifTooSlow))?.mailed);
        return { email, input, attempt, step };
      }
      const ifTooSlow = (error: unknown) => {
        if (!(error instanceof TooSlow)) throw error;
      };

      it('gives up as SmtpMaybeSent when the PDF cannot be read in time', async () => {
        const { email, attempt, step } = await lostAfterMail();

        await assert.rejects(
          attempt(() => step(unreadable(deps.storage)), { scheduledMsAgo: 5_000 }),
          isNonRetryable('SmtpMaybeSent'),
        );

        assert.equal((await mailsTo(email)).length, 1);
      });

      it('gives up as SmtpMaybeSent also when the attempts between the two are known to have sent nothing', async () => {
        const { attempt, step } = await lostAfterMail();

        await assert.rejects(
          attempt(() => step(unreadable(deps.storage))),
          (error) => !(error instanceof ApplicationFailure),
        );
        await assert.rejects(
          attempt(() => step(unreadable(deps.storage)), { scheduledMsAgo: 5_000 }),
          isNonRetryable('SmtpMaybeSent'),
        );
      });

      it('ends as SmtpMaybeSent when the quote was changed, or has no address to mail to any more', async () => {
        const changed = await lostAfterMail();
        const mute = await lostAfterMail();
        await rows('update quotes set notes = $1 where id = $2', 'otra cosa', changed.input.quote.quoteId);
        await rows('update clients set email = null where email = $1', mute.email);

        for (const { attempt, step } of [changed, mute])
          await assert.rejects(attempt(step), isNonRetryable('SmtpMaybeSent'));
      });

      it('sends the mail again under the same Message-ID when it can', async () => {
        const { email, attempt, step } = await lostAfterMail();

        while (!(await attempt(step).catch(ifTooSlow))?.mailed);

        const ids = (await mailsTo(email)).map(({ messageId }) => messageId);
        assert.equal(ids.length, 2);
        assert.equal(new Set(ids).size, 1);
      });
    });

    it('gives up as DocumentUnavailable when every attempt before is known to have sent nothing', async () => {
      const { email: _, ...input } = await shareInput({ email: `defer+1@${newId()}.test` });
      const { storageKey } = await run(() => createDocumentActivities(deps).ensureQuotePdf(input.quote));
      const attempt = attempts();
      const step = (storage = deps.storage) => withDeps({ storage }).sendQuoteMail({ ...input, storageKey });

      await assert.rejects(
        attempt(() => step(unreadable(deps.storage))),
        TooSlow,
      );
      await assert.rejects(attempt(step), (error) => error instanceof MailUnavailable || error instanceof TooSlow);
      await assert.rejects(
        attempt(() => step(unreadable(deps.storage)), { scheduledMsAgo: 5_000 }),
        isNonRetryable('DocumentUnavailable'),
      );
    });
  });

  describe('markQuoteSent', () => {
    it('has its effect once for a share, however often it runs', async () => {
      const { email: _, ...input } = await shareInput();
      const records = createRecordActivities(deps);

      await Promise.all([run(() => records.markQuoteSent(input)), run(() => records.markQuoteSent(input))]);
      await run(() => records.markQuoteSent(input));

      const { quoteId } = input.quote;
      const events = await rows('select id, type from outbox_events where quote_id = $1 order by sequence', quoteId);
      assert.deepEqual(
        events.map(({ type }) => type),
        ['quote.created', 'quote.status_changed', 'quote.sent'],
      );
      assert.equal(events[2]?.['id'], input.shareId);
      const audit = await rows('select action, user_id, actor from audit_logs where entity_id = $1', quoteId);
      assert.deepEqual(
        audit.map(({ action }) => String(action)).toSorted((a, b) => a.localeCompare(b)),
        ['create', 'share', 'status_change'],
      );
      assert.ok(
        audit.every((entry) => entry['user_id'] === business.userId),
        'not all by the owner',
      );
    });

    it('writes another share of a SENT quote down without touching its status', async () => {
      const { email: _, ...input } = await shareInput();
      const records = createRecordActivities(deps);
      await run(() => records.markQuoteSent(input));

      await run(() => records.markQuoteSent({ ...input, shareId: newId() }));

      const { quoteId } = input.quote;
      const events = await rows('select type from outbox_events where quote_id = $1 order by sequence', quoteId);
      assert.deepEqual(
        events.map(({ type }) => type),
        ['quote.created', 'quote.status_changed', 'quote.sent', 'quote.sent'],
      );
    });
  });
});

/** A storage whose files come later than an attempt can wait. */
function unreadable(storage: Storage): Storage {
  return { ...storage, get: (key) => sleep(1_200).then(() => storage.get(key)) };
}

/** A storage to which no connection can be made. */
function unreachable(storage: Storage): Storage {
  return { ...storage, exists: () => storage.get(`no such file ${newId()}`).then(() => false) };
}
