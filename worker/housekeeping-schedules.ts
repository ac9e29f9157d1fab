import { createHash } from 'node:crypto';
import { ScheduleAlreadyRunning, type ScheduleClient, type ScheduleOptions } from '@temporalio/client';
import type { Log } from '../adapters/log.ts';
import { type Chore, RETENTION_CHORES, SEALING_CHORES } from '../domain/housekeeping.ts';
import { queues } from '../workflows/contract.ts';

// By name and in this shape, so that nothing of the workflow's code is loaded here.
interface Plan {
  readonly id: string;
  readonly summary: string;
  readonly chores: readonly Chore[];
  readonly spec: ScheduleOptions['spec'];
  /** How late a run may be that an outage had prevented. */
  readonly catchupWindow: '12h' | '1h';
}

const PLANS: readonly Plan[] = [
  {
    id: 'housekeeping.retention',
    summary: 'Limpieza diaria: lo que ya no se conserva',
    chores: RETENTION_CHORES,
    // At night in the Americas, not at a full hour.
    spec: { calendars: [{ hour: 8, minute: 17 }], timezone: 'UTC', jitter: '30m' },
    catchupWindow: '12h',
  },
  {
    id: 'housekeeping.audit-seal',
    summary: 'Sello de la bitácora, cada hora',
    chores: SEALING_CHORES,
    spec: { intervals: [{ every: '1h', offset: '23m' }], jitter: '5m' },
    catchupWindow: '1h',
  },
];

/** Where a schedule keeps which version of its plan it is; beside it whatever an operator changed stays as it is. */
const VERSION = 'plan';

/**
 * Creates the schedules that are missing, and updates those with an older definition. A schedule that an
 * operator paused stays paused; what an operator changed of it stays too, until our own plan changes. Safe to repeat.
 * Returns whether any was missing.
 */
export async function ensureSchedules(schedules: ScheduleClient, log: Log): Promise<boolean> {
  let wasMissing = false;
  for (const plan of PLANS) {
    const options = optionsOf(plan);
    const handle = schedules.getHandle(plan.id);
    try {
      const { action } = await handle.describe();
      if (action.memo?.[VERSION] === options.action.memo[VERSION]) continue;
      await handle.update(({ state }) => ({ ...options, state }));
      log.info({ schedule: plan.id }, 'a schedule was brought up to date');
    } catch (error) {
      if (!isMissing(error)) throw error;
      await create(schedules, options);
      wasMissing = true;
    }
  }
  return wasMissing;
}

async function create(schedules: ScheduleClient, options: ReturnType<typeof optionsOf>): Promise<void> {
  try {
    await schedules.create(options);
  } catch (error) {
    // Another process made it between the question and this.
    if (!(error instanceof ScheduleAlreadyRunning)) throw error;
  }
}

const isMissing = (error: unknown): boolean => error instanceof Error && error.name === 'ScheduleNotFoundError';

function optionsOf({ id, summary, chores, spec, catchupWindow }: Plan) {
  const plan = createHash('sha256')
    .update(JSON.stringify([summary, chores, spec, catchupWindow, queues.workflows]))
    .digest('hex');
  return {
    scheduleId: id,
    spec,
    // A run that takes longer than its interval is not joined by a second.
    policies: { overlap: 'SKIP' as const, catchupWindow },
    action: {
      type: 'startWorkflow' as const,
      workflowType: 'housekeeping',
      // The server adds the time.
      workflowId: id,
      taskQueue: queues.workflows,
      args: [{ chores }],
      memo: { [VERSION]: plan.slice(0, 16) },
      staticSummary: summary,
    },
  } satisfies ScheduleOptions;
}
