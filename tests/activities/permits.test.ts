import assert from 'node:assert/strict';
import { ApplicationFailure } from '@temporalio/common';
import { MockActivityEnvironment } from '@temporalio/testing';
import { createAccountMailActivities } from '../../activities/account-mail.ts';
import { createAutomationMailActivities } from '../../activities/automation-mail.ts';
import { createAutomationWebhookActivities } from '../../activities/automation-webhook.ts';
import { createDocumentActivities } from '../../activities/documents.ts';
import { createExpiryActivities } from '../../activities/expiry.ts';
import { createMailActivities } from '../../activities/mail.ts';
import { type ActivityPermits, createActivityPermits, MAX_CONCURRENT_DELIVERIES } from '../../activities/permits.ts';
import { createDeliverActivities } from '../../activities/webhooks/deliver.ts';
import { readWorkerConfig } from '../../adapters/config.ts';
import { createMailer } from '../../adapters/mail/transport.ts';
import { createOutboundHttp } from '../../adapters/outbound-http/client.ts';
import type { Deps } from '../../api/deps.ts';
import type { AutomationAction } from '../../domain/automation.ts';
import { newId } from '../../db/ids.ts';
import { smtpServer } from '../adapters/mail-servers.ts';
import * as build from '../api/build.ts';
import { receiver } from '../api/receiver.ts';
import { service } from '../api/service.ts';
import { eventually } from '../eventually.ts';
import { inTime } from '../in-time.ts';
import { needs, testStack } from '../stack.ts';
import '../workflows/quiet.ts';
import { triggeredRun } from './automation-world.ts';
import { attemptsOf, delivering } from './delivering.ts';

needs('temporal', 'storage', 'inbox');

/** Milliseconds that a tenant may wait for a first call while another's calls hang for as long as calls may. */
const PROMPT_MS = 2_000;

/** Activities of one worker process, each as Temporal runs it, against servers that really hang. */
describe('activities of one tenant whose calls hang', () => {
  let deps: Deps;
  let permits: ActivityPermits;
  let busy: build.Business;
  let other: build.Business;

  before(async () => {
    ({ deps } = await service());
    [busy, other] = [await build.business(), await build.business()];
  });
  beforeEach(() => {
    permits = createActivityPermits();
  });

  const run = <Result>(step: () => Promise<Result>, scheduledMsAgo = 0): Promise<Result> => {
    const scheduledTimestampMs = Date.now() - scheduledMsAgo;
    const env = new MockActivityEnvironment({
      scheduledTimestampMs,
      currentAttemptScheduledTimestampMs: scheduledTimestampMs,
    });
    return env.run<[], Result, typeof step>(step);
  };

  async function acting(business: build.Business, action: AutomationAction) {
    const quote = await build.quote(business.owner);
    return (await triggeredRun(business, quote.id, { actions: [action] })).first;
  }

  const isThrottled = (error: unknown): boolean =>
    error instanceof ApplicationFailure && error.type === 'Throttled' && error.nonRetryable !== true;

  /** How many of them were throttled; the others may have failed as they like. */
  const throttledOf = async (works: readonly Promise<unknown>[]) =>
    (await Promise.allSettled(works)).filter((work) => work.status === 'rejected' && isThrottled(work.reason)).length;

  describe('fire_webhook', () => {
    it('holds four permits, ends the rest as throttled, and the first call of another tenant is made promptly', async () => {
      await using silent = await receiver(() => undefined);
      await using endpoint = await receiver();
      const config = readWorkerConfig((await testStack()).env);
      const steps = createAutomationWebhookActivities({ ...deps, outbound: createOutboundHttp(config), permits });
      const call = (url: string) => ({ type: 'fire_webhook', url, includeItems: false }) as const;
      const refs = await Promise.all(Array.from({ length: 10 }, () => acting(busy, call(silent.url))));
      const ref = await acting(other, call(endpoint.url));

      const hanging = refs.map((one) => run(() => steps.fireWebhook(one)));
      const throttled = throttledOf(hanging);
      await eventually(() => assert.equal(silent.calls.length, 4));
      await inTime(
        PROMPT_MS,
        run(() => steps.fireWebhook(ref)),
      );

      assert.equal(endpoint.calls.length, 1);
      assert.equal(await throttled, 6);
      assert.equal(silent.calls.length, 4);
    });
  });

  describe('deliveries', () => {
    it('an attempt without a permit is throttled and not begun, and one of another tenant is made promptly', async () => {
      await using endpoint = await receiver();
      const outbound = createOutboundHttp(deps.config);
      const limits = { permits, pausesS: [5], probeS: 60 };
      const steps = createDeliverActivities({ ...deps, ...limits, outbound, wakeDispatcher: () => undefined });
      const [waiting, ref] = [await dispatched(busy, endpoint.url), await dispatched(other, endpoint.url)];
      let release = () => {};
      const hanging = new Promise<void>((resolve) => (release = resolve));
      const held = Array.from({ length: MAX_CONCURRENT_DELIVERIES / 2 }, () =>
        permits.deliveries.run({ key: busy.tenantId, wait: 'never' }, () => hanging),
      );

      await assert.rejects(
        run(() => steps.deliver(waiting)),
        isThrottled,
      );
      await inTime(
        PROMPT_MS,
        run(() => steps.deliver(ref)),
      );

      release();
      await Promise.all(held);
      assert.equal(endpoint.calls.length, 1);
      assert.deepEqual(await attemptsOf(waiting.deliveryId), []);
    });

    async function dispatched(business: build.Business, url: string) {
      const world = delivering({ app: await service(), business });
      return (await world.delivery((await world.webhook(url)).id)).ref;
    }
  });

  describe('mails of automations', () => {
    it('hold eight permits, the rest end as throttled, and the mail of another tenant goes out promptly', async () => {
      const slow = newId();
      let hung = 0;
      // The recipients' domain decides: the server never answers for those of one tenant.
      const server = await smtpServer({
        onRcptTo({ address }, _session, callback) {
          if (address.endsWith(`@${slow}.test`)) hung += 1;
          else callback();
        },
      });
      const config = readWorkerConfig((await testStack()).env);
      const mailer = createMailer({ ...config, SMTP_URL: server.url });
      const steps = createAutomationMailActivities({
        ...deps,
        publicUrl: config.PUBLIC_URL,
        mailer,
        mailFrom: config.MAIL_FROM,
        mailQuota: null,
        permits,
      });
      const mail = (customEmail: string) =>
        ({ type: 'send_email', to: 'custom', customEmail, subject: 'Hola', body: 'Hola' }) as const;
      const refs = await Promise.all(Array.from({ length: 12 }, () => acting(busy, mail(`a@${slow}.test`))));
      const ref = await acting(other, mail(`b@${newId()}.test`));

      const throttled = throttledOf(refs.map((one) => run(() => steps.sendAutomationEmail(one))));
      await eventually(() => assert.equal(hung, 8));
      await inTime(
        PROMPT_MS,
        run(() => steps.sendAutomationEmail(ref)),
      );

      assert.equal(server.received.length, 1);
      assert.equal(await throttled, 4);
      assert.equal(hung, 8);
      mailer.close();
      await server.stop();
    });
  });

  describe('every other mail', () => {
    /** While the work runs, the tenant holds all permits of the queue that it may. */
    async function withoutPermits(queue: 'requestedMail' | 'automaticMail', work: () => Promise<void>): Promise<void> {
      let release = () => {};
      const hanging = new Promise<void>((resolve) => (release = resolve));
      const permit = { key: busy.tenantId, wait: 'never' } as const;
      const held = Array.from({ length: 8 }, () => permits[queue].run(permit, () => hanging));
      await work();
      release();
      await Promise.all(held);
    }

    async function mailing() {
      const config = readWorkerConfig((await testStack()).env);
      const publicUrl = config.PUBLIC_URL;
      return {
        ...deps,
        publicUrl,
        mailer: createMailer(config),
        mailFrom: config.MAIL_FROM,
        mailQuota: null,
        permits,
      };
    }

    async function share() {
      const { id } = await build.quote(busy.owner);
      const input = {
        quote: { tenantId: busy.tenantId, quoteId: id },
        shareId: newId(),
        by: { kind: 'user', userId: busy.userId },
        requestId: null,
      } as const;
      const { storageKey } = await run(() => createDocumentActivities(deps).ensureQuotePdf(input.quote));
      return { ...input, storageKey };
    }

    it('of a share is throttled while its tenant has no permit, never given up, and then sent', async () => {
      const input = await share();
      const steps = createMailActivities(await mailing());
      await withoutPermits('requestedMail', async () => {
        // Longer than a mail server that is away has.
        await assert.rejects(
          run(() => steps.sendQuoteMail(input), 60_000),
          isThrottled,
        );
      });

      assert.deepEqual(await run(() => steps.sendQuoteMail(input)), { mailed: true });
    });

    it('of a share goes out while mails of its tenant’s automations hang', async () => {
      const input = await share();
      const steps = createMailActivities(await mailing());

      await withoutPermits('automaticMail', async () => {
        assert.deepEqual(await run(() => steps.sendQuoteMail(input)), { mailed: true });
      });
    });

    it('of an account is throttled while its tenant has no permit, a day later too', async () => {
      const steps = createAccountMailActivities(await mailing());
      const ref = { tenantId: busy.tenantId, mailId: newId() };
      await withoutPermits('requestedMail', async () => {
        await assert.rejects(
          run(() => steps.sendAccountMail(ref), 25 * 3_600_000),
          isThrottled,
        );
      });

      assert.deepEqual(await run(() => steps.sendAccountMail(ref)), { outcome: 'skipped' });
    });

    it('that reminds of an expiry is throttled while its tenant has no permit, a day later too', async () => {
      const steps = createExpiryActivities(await mailing());
      const { id: quoteId } = await build.quote(busy.owner);
      const ref = { tenantId: busy.tenantId, quoteId, version: 1 };
      await withoutPermits('automaticMail', async () => {
        await assert.rejects(
          run(() => steps.sendExpiryMail(ref), 25 * 3_600_000),
          isThrottled,
        );
      });

      assert.deepEqual(await run(() => steps.sendExpiryMail(ref)), { mailed: false });
    });
  });
});
