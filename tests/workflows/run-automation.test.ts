import assert from 'node:assert/strict';
import { ApplicationFailure } from '@temporalio/common';
import type { ActionRef } from '../../activities/automation-action.ts';
import type { AutomationMailActivities } from '../../activities/automation-mail.ts';
import type { AutomationRecordActivities } from '../../activities/automation-records.ts';
import type { AutomationRunActivities, RunEnding, AutomationRunSteps } from '../../activities/automation-runs.ts';
import type { AutomationWebhookActivities } from '../../activities/automation-webhook.ts';
import type { ReminderActivities } from '../../activities/reminders.ts';
import { newId } from '../../db/ids.ts';
import {
  automationStart,
  queries,
  type AutomationRunRef,
  type UpcomingTimer,
  workflowIds,
} from '../../workflows/contract.ts';
import type { runAutomation } from '../../workflows/run-automation.ts';
import { eventually } from '../eventually.ts';
import './quiet.ts';
import { type SkippingWorld, skippingWorld } from './skipping.ts';

const SECOND_MS = 1000;
const MINUTE_MS = 60 * SECOND_MS;
const DAY_MS = 24 * 60 * MINUTE_MS;

type Activities = AutomationRunActivities &
  AutomationRecordActivities &
  AutomationMailActivities &
  AutomationWebhookActivities &
  ReminderActivities;
type ActionStep =
  | 'sendAutomationEmail'
  | 'notifyOwners'
  | 'moveQuote'
  | 'labelQuote'
  | 'createReminder'
  | 'fireWebhook';

/** An automation run of a test, and its effects. */
interface StubRun {
  readonly plan: AutomationRunSteps | undefined;
  readonly reason?: string | null | undefined;
  /** The behaviour of an action besides being recorded. */
  readonly act?: (name: ActionStep, ref: ActionRef) => Promise<void> | void;
  readonly calls: { readonly name: string; readonly at: number }[];
  readonly endings: RunEnding[];
}

describe('runAutomation', () => {
  let world: SkippingWorld;
  const runs = new Map<string, StubRun>();

  before(async () => {
    world = await skippingWorld(activities());
  });
  after(() => world.stop());

  function activities(): Activities {
    const noted = async (name: string, { logId }: Pick<AutomationRunRef, 'logId'>): Promise<StubRun> => {
      const run = runs.get(logId);
      assert.ok(run);
      run.calls.push({ name, at: await world.env.currentTimeMs() });
      return run;
    };
    const action = (name: ActionStep) => async (ref: ActionRef) => {
      const run = await noted(`${name} ${ref.index}`, ref);
      await run.act?.(name, ref);
    };
    return {
      beginRun: async (ref) => (await noted('beginRun', ref)).plan,
      reasonToSkip: async (ref) => {
        const run = await noted('reasonToSkip', ref);
        return 'reason' in run ? run.reason : null;
      },
      closeRun: async ({ status, error, ...ref }) =>
        void (await noted('closeRun', ref)).endings.push({ status, error }),
      sendAutomationEmail: action('sendAutomationEmail'),
      notifyOwners: action('notifyOwners'),
      moveQuote: action('moveQuote'),
      labelQuote: action('labelQuote'),
      fireWebhook: action('fireWebhook'),
      createReminder: async (ref) => {
        await action('createReminder')(ref);
        const { tenantId, logId } = ref;
        const dueAt = new Date((await world.env.currentTimeMs()) + 30 * DAY_MS).toISOString();
        return { tenantId, reminderId: logId, quoteId: newId(), quoteNumber: 12, automationId: null, dueAt };
      },
      readReminder: async () => ({
        quoteNumber: 12,
        dueAt: new Date((await world.env.currentTimeMs()) + 30 * DAY_MS).toISOString(),
      }),
      fireReminder: async () => 'fired',
    };
  }

  async function planned(types: AutomationRunSteps['actions'], { delayMs = 0 } = {}): Promise<AutomationRunSteps> {
    const dueAt = new Date((await world.env.currentTimeMs()) + delayMs).toISOString();
    return { quoteNumber: 12, automationId: newId(), dueAt, actions: types };
  }

  /** Starts an automation run as the dispatcher does. */
  async function start(run: Omit<StubRun, 'calls' | 'endings'>) {
    const stub: StubRun = { ...run, calls: [], endings: [] };
    const logId = newId();
    runs.set(logId, stub);
    const options = automationStart({
      tenantId: newId(),
      logId,
      automationId: newId(),
      event: 'quote.created',
      eventId: newId(),
      quoteId: newId(),
      quoteNumber: 12,
    });
    const handle = await world.env.client.workflow.start<typeof runAutomation>('runAutomation', options);
    return { stub, handle, logId };
  }

  async function execute(run: Omit<StubRun, 'calls' | 'endings'>) {
    const { stub, handle, logId } = await start(run);
    const { outcome } = await handle.result();
    return { stub, outcome, logId, names: stub.calls.map(({ name }) => name) };
  }

  it('waits seven days, checks again and acts, and shows until when it waits', async () => {
    const plan = await planned(['send_notification'], { delayMs: 7 * DAY_MS });
    const { handle, stub } = await start({ plan });
    const timers = () => handle.query<UpcomingTimer[]>(queries.upcomingTimers);
    await eventually(async () => assert.deepEqual(await timers(), [{ name: 'Fin de la espera', at: plan.dueAt }]));
    assert.deepEqual((await handle.describe()).searchAttributes['DueAt'], [new Date(plan.dueAt)]);

    assert.deepEqual(await handle.result(), { outcome: 'completed' });

    const late = stub.calls.slice(1).map(({ at }) => at - Date.parse(plan.dueAt));
    assert.equal(late.length, 3);
    assert.ok(
      late.every((ms) => ms >= 0 && ms < 5 * SECOND_MS),
      `${late.join()} ms late`,
    );
    assert.deepEqual(await timers(), []);
  });

  it('acts immediately when its time passed while no worker ran', async () => {
    const plan = await planned(['send_notification'], { delayMs: -DAY_MS });

    assert.equal((await execute({ plan })).outcome, 'completed');
  });

  it('does nothing when it no longer applies after the delay, and records why as COMPLETED', async () => {
    const plan = await planned(['send_email'], { delayMs: MINUTE_MS });
    const reason = 'omitida: las condiciones ya no se cumplen';

    const { outcome, names, stub } = await execute({ plan, reason });

    assert.equal(outcome, 'skipped');
    assert.deepEqual(names, ['beginRun', 'reasonToSkip', 'closeRun']);
    assert.deepEqual(stub.endings, [{ status: 'COMPLETED', error: reason }]);
  });

  it('ends without a record when it had ended before, or was deleted with its automation during the delay', async () => {
    const over = await execute({ plan: undefined });
    const deleted = await execute({ plan: await planned(['send_email'], { delayMs: DAY_MS }), reason: undefined });

    assert.deepEqual([over.outcome, deleted.outcome], ['closed', 'closed']);
    assert.deepEqual([...over.stub.endings, ...deleted.stub.endings], []);
    assert.deepEqual(deleted.names, ['beginRun', 'reasonToSkip']);
  });

  describe('with a skipped action', () => {
    const SKIPPED = 'la cotización no se ha enviado y su enlace no abre todavía';
    const skip = () => {
      throw ApplicationFailure.nonRetryable(SKIPPED, 'ActionSkipped');
    };

    it('runs the following actions, and records the skipped one as COMPLETED', async () => {
      const { outcome, names, stub } = await execute({
        plan: await planned(['send_email', 'send_notification', 'create_reminder', 'add_label']),
        act: (name) => (name === 'sendAutomationEmail' || name === 'createReminder' ? skip() : undefined),
      });

      assert.equal(outcome, 'completed');
      assert.deepEqual(names.slice(2), [
        'sendAutomationEmail 0',
        'notifyOwners 1',
        'createReminder 2',
        'labelQuote 3',
        'closeRun',
      ]);
      const error = `omitida: actions.0 (send_email): ${SKIPPED}; omitida: actions.2 (create_reminder): ${SKIPPED}`;
      assert.deepEqual(stub.endings, [{ status: 'COMPLETED', error }]);
    });

    it('records the skipped one beside a failing one', async () => {
      const { outcome, stub } = await execute({
        plan: await planned(['send_email', 'change_status']),
        act: (name) => {
          if (name === 'sendAutomationEmail') skip();
          throw ApplicationFailure.nonRetryable('No se puede cambiar de WON a SENT', 'MoveRefused');
        },
      });

      assert.equal(outcome, 'failed');
      const error = `actions.1 (change_status): No se puede cambiar de WON a SENT; omitida: actions.0 (send_email): ${SKIPPED}`;
      assert.deepEqual(stub.endings, [{ status: 'FAILED', error }]);
    });
  });

  it('stops at the first action that fails permanently, and names it in the log', async () => {
    const act = (name: ActionStep) => {
      if (name === 'moveQuote')
        throw ApplicationFailure.nonRetryable('No se puede cambiar de WON a SENT', 'MoveRefused');
    };

    const { outcome, names, stub } = await execute({
      plan: await planned(['send_notification', 'change_status', 'send_email']),
      act,
    });

    assert.equal(outcome, 'failed');
    assert.deepEqual(names.slice(2), ['notifyOwners 0', 'moveQuote 1', 'closeRun']);
    const error = 'actions.1 (change_status): No se puede cambiar de WON a SENT';
    assert.deepEqual(stub.endings, [{ status: 'FAILED', error }]);
  });

  it('retries a temporary failure five times within eleven minutes, then fails', async () => {
    const act = () => {
      throw new Error('the database is away');
    };

    const { outcome, stub } = await execute({ plan: await planned(['add_label', 'send_email']), act });

    assert.equal(outcome, 'failed');
    const error = 'actions.0 (add_label): no se logró después de varios intentos';
    assert.deepEqual(stub.endings, [{ status: 'FAILED', error }]);
    const late = pausesOf(stub, 'labelQuote 0').map((seconds, i) => seconds - (PAUSES_S[i] ?? NaN));
    assert.equal(late.length, PAUSES_S.length);
    assert.ok(
      late.every((seconds) => seconds >= 0 && seconds < LATE_S),
      `late by ${late.join(', ')} s`,
    );
  });

  it('continues after an action that succeeds within eleven minutes', async () => {
    let attempts = 0;
    const act = (name: ActionStep) => {
      if (name === 'labelQuote' && (attempts += 1) < 6) throw new Error('the database is away');
    };

    const { outcome, names } = await execute({ plan: await planned(['add_label', 'send_notification']), act });

    assert.equal(outcome, 'completed');
    assert.deepEqual([attempts, names.at(-2)], [6, 'notifyOwners 1']);
  });

  it('retries a webhook call whose attempt was lost, and stops at one that has ended', async () => {
    let attempts = 0;
    const act = () => {
      attempts += 1;
      if (attempts === 1) throw new Error('the worker lost its database');
      throw ApplicationFailure.nonRetryable('la llamada quedó interrumpida', 'WebhookFailed');
    };

    const { stub } = await execute({ plan: await planned(['fire_webhook']), act });

    assert.equal(attempts, 2);
    const error = 'actions.0 (fire_webhook): la llamada quedó interrumpida';
    assert.deepEqual(stub.endings, [{ status: 'FAILED', error }]);
  });

  // The last test: when a child outlives its parent, this server's clock no longer skips.
  it('runs every action in order, then records COMPLETED; the reminder waits on', async () => {
    const plan = await planned([
      'fire_webhook',
      'create_reminder',
      'add_label',
      'change_status',
      'send_notification',
      'send_email',
    ]);

    const { outcome, names, stub, logId } = await execute({ plan });

    assert.equal(outcome, 'completed');
    assert.deepEqual(names, [
      'beginRun',
      'reasonToSkip',
      'fireWebhook 0',
      'createReminder 1',
      'labelQuote 2',
      'moveQuote 3',
      'notifyOwners 4',
      'sendAutomationEmail 5',
      'closeRun',
    ]);
    assert.deepEqual(stub.endings, [{ status: 'COMPLETED', error: null }]);
    const reminder = world.env.client.workflow.getHandle(workflowIds.remind({ tenantId: '', reminderId: logId }));
    assert.deepEqual(await reminder.result(), { outcome: 'fired' });
  });
});

/** Pauses before the second attempt at an action, the third, and so on. */
const PAUSES_S = [2, 8, 32, 128, 512];
/** The server starts the next attempt slightly after it is due. */
const LATE_S = 3;

/** Seconds between the attempts at one action. */
const pausesOf = ({ calls }: StubRun, wanted: string): number[] => {
  const times = calls.filter(({ name }) => name === wanted).map(({ at }) => at);
  return times.slice(1).map((at, i) => (at - (times[i] ?? 0)) / SECOND_MS);
};
