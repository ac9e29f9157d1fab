import assert from 'node:assert/strict';
import type { ActionRef } from '../../activities/automation-action.ts';
import { createAutomationMailActivities } from '../../activities/automation-mail.ts';
import { createAutomationRunActivities } from '../../activities/automation-runs.ts';
import { createAutomationWebhookActivities } from '../../activities/automation-webhook.ts';
import { type ActivityPermits, createActivityPermits } from '../../activities/permits.ts';
import { readWorkerConfig } from '../../adapters/config.ts';
import type { FairQueue } from '../../adapters/fair-queue.ts';
import { createMailer } from '../../adapters/mail/transport.ts';
import { createOutboundHttp } from '../../adapters/outbound-http/client.ts';
import type { AutomationAction } from '../../domain/automation.ts';
import { newId } from '../../db/ids.ts';
import { automationStart } from '../../workflows/contract.ts';
import type { runAutomation } from '../../workflows/run-automation.ts';
import { triggeredRun } from '../activities/automation-world.ts';
import { rows } from '../worker/dispatcher-world.ts';
import * as build from '../api/build.ts';
import { receiver } from '../api/receiver.ts';
import { service } from '../api/service.ts';
import { eventually } from '../eventually.ts';
import { needs, testStack } from '../stack.ts';
import './quiet.ts';
import { type SkippingWorld, skippingWorld } from './skipping.ts';

needs('storage', 'inbox');

/** More tries than an action has attempts. */
const MANY_TRIES = 9;

/** Activities and their targets are real; only the waiting between two tries is skipped. */
describe('automation whose action gets no permit', () => {
  let world: SkippingWorld;
  let permits: ActivityPermits;
  let business: build.Business;
  /** When each try of send_email began. */
  const mailedAt: number[] = [];

  before(async () => {
    const { deps } = await service();
    const config = readWorkerConfig((await testStack()).env);
    permits = createActivityPermits();
    const mail = createAutomationMailActivities({
      ...deps,
      publicUrl: config.PUBLIC_URL,
      mailer: createMailer(config),
      mailFrom: config.MAIL_FROM,
      mailQuota: null,
      permits,
    });
    const activities = {
      ...createAutomationRunActivities(deps),
      ...createAutomationWebhookActivities({ ...deps, outbound: createOutboundHttp(config), permits }),
      async sendAutomationEmail(ref: ActionRef) {
        mailedAt.push(await world.env.currentTimeMs());
        await mail.sendAutomationEmail(ref);
      },
    };
    world = await skippingWorld(activities);
    business = await build.business();
  });
  beforeEach(() => mailedAt.splice(0));
  after(() => world.stop());

  async function start(action: AutomationAction, clientFields: object = {}) {
    const client = await build.client(business.owner, { ...clientFields });
    const quote = await build.quote(business.owner, { clientId: client.id });
    const { run, automationId, eventId } = await triggeredRun(business, quote.id, { actions: [action] });
    const options = automationStart({
      ...run,
      automationId,
      eventId,
      event: 'quote.created',
      quoteId: quote.id,
      quoteNumber: quote.quoteNumber,
    });
    const handle = await world.env.client.workflow.start<typeof runAutomation>('runAutomation', options);
    // The server skips time only while a result is awaited.
    return { handle, result: handle.result(), client, logId: run.logId };
  }

  /** Holds all permits of the tenant, as hanging calls do. Returns a function that releases them. */
  function held(queue: FairQueue, count: number): () => Promise<void> {
    let release = () => {};
    const hanging = new Promise<void>((resolve) => (release = resolve));
    const all = Array.from({ length: count }, () =>
      queue.run({ key: business.tenantId, wait: 'never' }, () => hanging),
    );
    return async () => {
      release();
      await Promise.all(all);
    };
  }

  const untilTried = (handle: Awaited<ReturnType<typeof start>>['handle']) =>
    eventually(async () => {
      const { raw } = await handle.describe();
      const [pending] = raw.pendingActivities ?? [];
      assert.ok((pending?.attempt ?? 0) > MANY_TRIES, `only ${pending?.attempt} tries`);
      assert.equal(pending?.lastFailure?.applicationFailureInfo?.type, 'Throttled');
    });

  const outcomeOf = async (logId: string) => {
    const [log] = await rows('select status, error from automation_logs where id = $1', logId);
    return log;
  };

  const mail = { type: 'send_email', to: 'client', subject: 'Gracias', body: 'Hola' } as const;

  it('calls the endpoint of fire_webhook once, although throttled more often than it has attempts', async () => {
    await using endpoint = await receiver();
    const giveBack = held(permits.fireWebhook, 4);
    const { handle, result, logId } = await start({ type: 'fire_webhook', url: endpoint.url, includeItems: true });

    await untilTried(handle);
    assert.equal(endpoint.calls.length, 0);
    await giveBack();

    assert.deepEqual(await result, { outcome: 'completed' });
    assert.deepEqual(await outcomeOf(logId), { status: 'COMPLETED', error: null });
    assert.equal(endpoint.calls.length, 1);
  });

  it('sends the mail of send_email in its first attempt, although throttled more often than it has attempts', async () => {
    const giveBack = held(permits.automaticMail, 8);
    const { handle, result, client, logId } = await start(mail);

    await untilTried(handle);
    await giveBack();

    assert.deepEqual(await result, { outcome: 'completed' });
    assert.equal((await (await testStack()).inbox.messages()).filter(({ to }) => to.includes(client.email)).length, 1);
    assert.deepEqual(await rows('select attempts from automation_steps where log_id = $1', logId), [{ attempts: 1 }]);
  });

  it('has all six attempts at send_email left after it was throttled, with the pauses for a mail server that is away', async () => {
    const giveBack = held(permits.automaticMail, 8);
    // The server answers 451 to that many attempts: one more than there are.
    const { handle, result, logId } = await start(mail, { email: `defer+7@${newId()}.test` });
    await untilTried(handle);
    const throttled = mailedAt.length;
    await giveBack();

    assert.deepEqual(await result, { outcome: 'failed' });

    const error = 'actions.0 (send_email): el servidor de correo no está disponible';
    assert.deepEqual(await outcomeOf(logId), { status: 'FAILED', error });
    assert.deepEqual(await rows('select attempts from automation_steps where log_id = $1', logId), [{ attempts: 6 }]);
    const attempts = mailedAt.slice(-6);
    assert.ok(mailedAt.length >= throttled + 6, `${mailedAt.length - throttled} attempts`);
    const pauses = attempts.slice(1).map((at, i) => (at - (attempts[i] ?? 0)) / 1_000);
    const late = pauses.map((seconds, i) => seconds - ([2, 8, 32, 128, 512][i] ?? NaN));
    assert.ok(
      late.every((seconds) => seconds >= 0 && seconds < 3),
      `late by ${late.join(', ')} s`,
    );
  });
});
