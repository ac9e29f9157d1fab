import type { Client as TemporalClient } from '@temporalio/client';
import type { WorkerOptions } from '@temporalio/worker';
import type { WorkerConfig } from '../adapters/config.ts';
import type { WorkerMetrics } from '../adapters/metrics/metrics.ts';
import { reportLossTo } from '../adapters/signed-pdf.ts';
import type { DispatcherDb } from '../db/dispatcher-db.ts';
import type { WithPipeline } from '../db/pipeline.ts';
import type { Nudge } from '../db/with-tenant.ts';
import { queues } from '../workflows/contract.ts';
import { createAccountMailActivities } from '../activities/account-mail.ts';
import { createAutomationMailActivities } from '../activities/automation-mail.ts';
import { createAutomationRecordActivities } from '../activities/automation-records.ts';
import { createAutomationRunActivities } from '../activities/automation-runs.ts';
import { createAutomationWebhookActivities } from '../activities/automation-webhook.ts';
import { createDocumentActivities } from '../activities/documents.ts';
import { createExpiryActivities, MOMENTS_A_SECOND } from '../activities/expiry.ts';
import { createFollowUpActivities } from '../activities/follow-ups.ts';
import { createHousekeepingActivities } from '../activities/housekeeping/chores.ts';
import { type RetentionConfig, retentionOf } from '../activities/housekeeping/retention.ts';
import { createImportActivities } from '../activities/imports.ts';
import { createMailActivities } from '../activities/mail.ts';
import { MAX_CONCURRENT_DELIVERIES } from '../activities/permits.ts';
import { createRecordActivities } from '../activities/records.ts';
import { createReminderActivities } from '../activities/reminders.ts';
import { createRescheduleActivities } from '../activities/reschedule.ts';
import { createTenantRateLimiter } from '../activities/tenant-rate-limiter.ts';
import { createDeliverActivities } from '../activities/webhooks/deliver.ts';
import type { ActivityDeps } from '../activities/deps.ts';

/** What the worker of one task queue runs. */
export type WorkerKind = Omit<WorkerOptions, 'connection'>;

export interface KindDeps extends Omit<ActivityDeps, 'reportLoss' | 'mailFrom' | 'publicUrl'> {
  readonly config: RetentionConfig &
    Pick<WorkerConfig, 'MAIL_FROM' | 'PUBLIC_URL' | 'WEBHOOK_RETRY_SECONDS' | 'WEBHOOK_PROBE_SECONDS'>;
  readonly workflowBundle: { readonly codePath: string };
  readonly withPipeline: WithPipeline;
  /** Wakes the dispatchers of all processes. */
  readonly nudge: Nudge;
  /** Has this process's dispatcher poll for throttled deliveries. */
  readonly wakeDispatcher: () => void;
  readonly dispatcher: DispatcherDb;
  readonly temporal: TemporalClient;
  readonly metrics?: WorkerMetrics;
  /** Aborted as soon as the process begins to stop. */
  readonly stopping?: AbortSignal;
}

/**
 * Workflow executions whose state a worker keeps between two workflow tasks. Most wait for days: an evicted one is replayed
 * from its history, some tens of events. By default Node's heap limit decides how many are kept, on a large machine
 * thousands.
 */
const MAX_CACHED_WORKFLOWS = 200;

/**
 * One worker for each task queue, so that slow activities of one kind cannot starve another. Only one runs workflows: their
 * tasks never block, and each further worker would load the bundle into a thread and a V8 heap of its own.
 */
export function workerKinds({ config, workflowBundle, storage, pdf, outbound, ...rest }: KindDeps): WorkerKind[] {
  const { withTenant } = rest;
  const reportLoss = reportLossTo(rest.log, rest.metrics ?? {});
  const deps = { ...rest, reportLoss, mailFrom: config.MAIL_FROM, publicUrl: config.PUBLIC_URL };
  const moments = { ...deps, storage, momentLimiter: createTenantRateLimiter(MOMENTS_A_SECOND) };
  const pausesS = config.WEBHOOK_RETRY_SECONDS.split(',').map(Number);
  const deliver = createDeliverActivities({ ...deps, outbound, pausesS, probeS: config.WEBHOOK_PROBE_SECONDS });
  return [
    {
      taskQueue: queues.workflows,
      workflowBundle,
      maxCachedWorkflows: MAX_CACHED_WORKFLOWS,
      // Deliveries have permits for half of them, since their endpoints may hang.
      maxConcurrentActivityTaskExecutions: 2 * MAX_CONCURRENT_DELIVERIES,
      activities: {
        ...deliver,
        ...createRecordActivities({ withTenant }),
        ...createMailActivities({ ...deps, storage }),
        ...createAccountMailActivities({ ...deps, storage }),
        ...createExpiryActivities(moments),
        ...createFollowUpActivities(moments),
        ...createRescheduleActivities(deps),
        ...createImportActivities({ withTenant }),
        ...createHousekeepingActivities({ ...deps, storage, retention: retentionOf(config) }),
      },
    },
    {
      taskQueue: queues.documents,
      activities: createDocumentActivities({ withTenant, pdf, storage, reportLoss }),
      // More than the renderer has threads: a step that gets none ends at once as throttled and frees its slot.
      maxConcurrentActivityTaskExecutions: 8,
    },
    {
      taskQueue: queues.webhooks,
      activities: {
        // Of executions that were started when deliveries were called from here.
        ...deliver,
        ...createAutomationWebhookActivities({ ...deps, outbound }),
      },
      // A hanging endpoint holds a slot for five seconds; a queue of its own keeps that from blocking other work.
      maxConcurrentActivityTaskExecutions: 32,
    },
    {
      taskQueue: queues.automations,
      activities: {
        ...createAutomationRunActivities(deps),
        ...createAutomationRecordActivities(deps),
        ...createAutomationMailActivities(deps),
        ...createReminderActivities({ withTenant }),
      },
    },
  ];
}
