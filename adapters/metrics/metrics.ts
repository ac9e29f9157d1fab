import { Counter, Gauge, Histogram, Registry } from 'prom-client';
import type { QueueWatch } from '../fair-queue.ts';

/**
 * The Prometheus metrics of a process. Labels have few, fixed values: a route's template and never its path, because
 * scanners would create a series per path; and never a tenant, because there may be very many.
 */

/** Metrics of every process. */
export interface ProcessMetrics {
  readonly registry: Registry;
  /** Seconds from the request of a PDF to its bytes, including the wait for a thread. */
  readonly pdf: Histogram;
  /** The length of each fair queue, and the waiting time. */
  readonly queueDepth: Gauge<'queue'>;
  readonly queueWait: Histogram<'queue'>;
  /** Work that was refused or throttled because no permit was free. */
  readonly queueRefused: Counter<'queue'>;
  /** Signed documents that are missing in storage, or differ from what was signed. */
  readonly signedPdfsLost: Counter<'loss'>;
}

export interface ApiMetrics extends ProcessMetrics {
  readonly requests: Histogram<'method' | 'route' | 'status_class'>;
}

export interface WorkerMetrics extends ProcessMetrics {
  readonly emails: Counter<'result'>;
  readonly webhookAttempts: Counter<'outcome'>;
  /** Seconds from an event to the first attempt of its webhook delivery. */
  readonly webhookFirstAttempt: Histogram;
  readonly automationRuns: Counter<'status'>;
  readonly reconcilerRestarts: Counter<'workflow'>;
  readonly auditChainsBroken: Counter;
  /** Stored files that exist only in the database or only in the storage. */
  readonly storedFilesAmiss: Counter<'what'>;
}

/** Usage of a connection pool. */
export interface PoolUsage {
  readonly inUse: number;
  /** Callers that wait for a connection. */
  readonly waiting: number;
  readonly most: number;
}

export const EMAIL_RESULTS = ['sent', 'unavailable', 'refused', 'maybe_sent', 'failed'] as const;
export const ATTEMPT_OUTCOMES = ['delivered', 'retry', 'exhausted', 'webhook_deleted', 'superseded'] as const;
const RUN_STATUSES = ['completed', 'skipped', 'failed'] as const;

/** Buckets around what people notice, up to the nine seconds of a share. */
const REQUEST_SECONDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];
const PDF_SECONDS = [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];
const FIRST_ATTEMPT_SECONDS = [0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300];

export function createApiMetrics(): ApiMetrics {
  const common = processMetrics();
  return {
    ...common,
    requests: new Histogram({
      name: 'http_request_duration_seconds',
      help: 'Seconds from a request to its response',
      labelNames: ['method', 'route', 'status_class'],
      buckets: REQUEST_SECONDS,
      registers: [common.registry],
    }),
  };
}

/** @param workflows the workflow types that the reconciler may start */
export function createWorkerMetrics(workflows: readonly string[] = []): WorkerMetrics {
  const common = processMetrics();
  const { registry } = common;
  return {
    ...common,
    emails: counted(registry, 'emails_total', 'Mails by outcome', { result: EMAIL_RESULTS }),
    webhookAttempts: counted(registry, 'webhook_attempts_total', 'Webhook attempts by outcome', {
      outcome: ATTEMPT_OUTCOMES,
    }),
    webhookFirstAttempt: new Histogram({
      name: 'webhook_first_attempt_seconds',
      help: 'Seconds from an event to the first attempt of its webhook delivery',
      buckets: FIRST_ATTEMPT_SECONDS,
      registers: [registry],
    }),
    automationRuns: counted(registry, 'automation_runs_total', 'Automation runs by outcome', { status: RUN_STATUSES }),
    reconcilerRestarts: counted(
      registry,
      'reconciler_restarts_total',
      'Workflow executions that were missing in Temporal and were started again',
      { workflow: workflows },
    ),
    auditChainsBroken: new Counter({
      name: 'audit_chains_broken_total',
      help: 'Audit logs that could not be sealed because their chain of seals is broken',
      registers: [registry],
    }),
    storedFilesAmiss: counted(
      registry,
      'stored_files_amiss_total',
      'Files that are in the database but not in the storage (missing), or the reverse (unknown)',
      { what: ['missing', 'unknown'] },
    ),
  };
}

function processMetrics(): ProcessMetrics {
  const registry = new Registry();
  const pdf = new Histogram({
    name: 'pdf_seconds',
    help: 'Seconds from the request of a PDF to its bytes',
    buckets: PDF_SECONDS,
    registers: [registry],
  });
  const labelNames = ['queue'] as const;
  const registers = [registry];
  return {
    registry,
    pdf,
    queueDepth: new Gauge({
      name: 'fair_queue_depth',
      help: 'Work that waits for a permit of a shared resource',
      labelNames,
      registers,
    }),
    queueWait: new Histogram({
      name: 'fair_queue_wait_seconds',
      help: 'Seconds that work waits for a permit of a shared resource',
      labelNames,
      buckets: PDF_SECONDS,
      registers,
    }),
    queueRefused: new Counter({
      name: 'fair_queue_refused_total',
      help: 'Work that was refused or throttled because a shared resource had no permit for it',
      labelNames,
      registers,
    }),
    signedPdfsLost: counted(
      registry,
      'signed_pdfs_lost_total',
      'Signed documents that are missing in storage or were changed',
      { loss: ['missing', 'altered'] },
    ),
  };
}

/** Reports one queue to the metrics, labelled by its name and never by tenant. */
export function queueWatch(
  { queueDepth, queueWait, queueRefused }: Pick<ProcessMetrics, 'queueDepth' | 'queueWait' | 'queueRefused'>,
  queue: string,
): QueueWatch {
  queueDepth.set({ queue }, 0);
  queueRefused.inc({ queue }, 0);
  return {
    depth: (waiting) => queueDepth.set({ queue }, waiting),
    waited: (seconds) => queueWait.observe({ queue }, seconds),
    refused: () => queueRefused.inc({ queue }),
  };
}

/** With every label at zero: a rate over a series that begins with its first failure would miss that failure. */
function counted<Label extends string>(
  registry: Registry,
  name: string,
  help: string,
  labels: Readonly<Record<Label, readonly string[]>>,
): Counter<Label> {
  // The keys of the record.
  const labelNames = Object.keys(labels) as Label[];
  const counter = new Counter({ name, help, labelNames, registers: [registry] });
  for (const label of labelNames) for (const value of labels[label]) counter.labels(value).inc(0);
  return counter;
}

/** Reports the usage of a process's pools, read at each scrape. */
export function measurePools({ registry }: ProcessMetrics, pools: Readonly<Record<string, () => PoolUsage>>): void {
  const gauge = (name: string, help: string, figure: keyof PoolUsage) =>
    new Gauge({
      name,
      help,
      labelNames: ['pool'],
      registers: [registry],
      collect() {
        for (const [pool, figures] of Object.entries(pools)) this.set({ pool }, figures()[figure]);
      },
    });
  gauge('database_pool_in_use', 'Connections to PostgreSQL that are in use', 'inUse');
  gauge('database_pool_waiting', 'Callers that wait for a connection to PostgreSQL', 'waiting');
  gauge('database_pool_most', 'Connections to PostgreSQL that the pool may open', 'most');
}

/**
 * Reports values that are queried at each scrape. While the query fails (PostgreSQL is away) the metric has no value;
 * the rest of the page is served.
 */
export function measureLater<Label extends string>(
  { registry }: ProcessMetrics,
  { name, help, label }: { readonly name: string; readonly help: string; readonly label?: Label },
  read: () => Promise<Readonly<Record<string, number>>>,
): void {
  const gauge = new Gauge({
    name,
    help,
    labelNames: label === undefined ? [] : [label],
    registers: [],
    async collect() {
      this.reset();
      // A gauge without labels resets to 0, which would be a false value.
      if (label === undefined) this.set(Number.NaN);
      const figures = await read().catch(() => ({}));
      for (const [of, value] of Object.entries(figures)) {
        if (label === undefined) this.set(value);
        else this.set({ [label]: of } as Record<Label, string>, value);
      }
    },
  });
  registry.registerMetric(gauge);
}
