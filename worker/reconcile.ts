import {
  type Client as TemporalClient,
  type Connection,
  WorkflowExecutionAlreadyStartedError,
  type WorkflowStartOptions,
} from '@temporalio/client';
import pLimit from 'p-limit';
import type { Log } from '../adapters/log.ts';
import type { NamespaceOptions } from '../adapters/temporal/connection.ts';
import { isAway } from '../adapters/temporal/status.ts';
import type { DispatcherDb } from '../db/dispatcher-db.ts';
import type { PageRequest } from '../db/reads/unfinished-work.ts';
import { queues } from '../workflows/contract.ts';
import { ensureTemporal } from './ensure-temporal.ts';
import { SOURCES, type Unfinished } from './reconcile-sources.ts';
import { terminateFormer } from './terminate-former.ts';

/**
 * Compares what PostgreSQL says is unfinished with what runs in Temporal, and starts what is missing: Temporal's whole
 * store may be lost, and nothing is. A run that is started needlessly finds its row finished and ends.
 */

export interface ReconcileDeps extends NamespaceOptions {
  readonly knex: DispatcherDb;
  readonly temporal: TemporalClient;
  /** The client's. */
  readonly connection: Connection;
  readonly log: Log;
  /** Called for each workflow that is started again. */
  readonly onRestart?: (workflow: string) => void;
}

export interface ReconcileOptions {
  /** Younger rows are left to the dispatcher, unless Temporal's store is new. */
  readonly olderThanSeconds?: number;
  /** Ends the pass early; the next one finds the rest. */
  readonly signal?: AbortSignal | undefined;
}

export interface Reconciled {
  /** How many runs were started, by workflow. */
  readonly started: Readonly<Record<string, number>>;
  /** How many could not be; the log says why. The next pass tries again. */
  readonly failed: number;
}

/** Rows are dispatched within a second or so; Temporal's list lags about as much. */
const SETTLED_S = 20;
/** Rows of one query to Temporal. */
const PAGE = 100;
/** Each start costs Temporal tens of milliseconds. */
const MAX_CONCURRENT_STARTS = 8;
const CALL_DEADLINE_MS = 10_000;
/** A new namespace becomes visible late. */
const ENSURE_DEADLINE_MS = 15_000;

/** One pass over all kinds. Throws when PostgreSQL or Temporal cannot be reached; the next pass starts over. */
export async function reconcile(
  deps: ReconcileDeps,
  { olderThanSeconds = SETTLED_S, signal = new AbortController().signal }: ReconcileOptions = {},
): Promise<Reconciled> {
  const { connection, knex } = deps;
  const { isNew } = await connection.withDeadline(Date.now() + ENSURE_DEADLINE_MS, () => ensureTemporal(deps));
  const started: Record<string, number> = {};
  let failed = 0;
  const age = { olderThanSeconds: isNew ? 0 : olderThanSeconds };
  for (const { workflow, page } of SOURCES) {
    started[workflow] = 0;
    const request = { limit: PAGE, ...age };
    for await (const rows of pagesOf(knex, page, request)) {
      const outcome = await startMissing(deps, workflow, rows, signal);
      started[workflow] += outcome.started;
      failed += outcome.failed;
    }
  }
  signal.throwIfAborted();
  if (failed === 0) await terminateFormer(deps, age);
  return { started, failed };
}

async function* pagesOf(
  knex: DispatcherDb,
  page: (knex: DispatcherDb, request: PageRequest) => Promise<readonly Unfinished[]>,
  request: Omit<PageRequest, 'after'>,
): AsyncGenerator<readonly Unfinished[]> {
  let after = '';
  for (;;) {
    const rows = await page(knex, { ...request, after });
    const last = rows.at(-1);
    if (!last) return;
    yield rows;
    if (rows.length < request.limit) return;
    after = last.id;
  }
}

async function startMissing(
  { temporal, log, onRestart }: ReconcileDeps,
  workflow: string,
  rows: readonly Unfinished[],
  signal: AbortSignal,
): Promise<{ readonly started: number; readonly failed: number }> {
  signal.throwIfAborted();
  const open = await openAmong(temporal, rows);
  const missing = rows.filter(({ workflowId }) => open.get(workflowId) !== queues.workflows);
  const counts = { started: 0, failed: 0 };
  const limited = pLimit(MAX_CONCURRENT_STARTS);
  let isOver = false;
  await Promise.all(
    missing.map((row) =>
      limited(async () => {
        // The first that fails for all has thrown: the next pass comes soon.
        if (isOver) return;
        try {
          signal.throwIfAborted();
          if (await restart(temporal, workflow, { ...row.start(), ...replacing(open.get(row.workflowId)) })) {
            counts.started += 1;
            onRestart?.(workflow);
          }
        } catch (error) {
          isOver = isAway(error) || signal.aborted;
          if (isOver) throw error;
          // A failure does not block the others.
          counts.failed += 1;
          log.warn({ err: error, workflowId: row.workflowId }, 'a missing workflow could not be started');
        }
      }),
    ),
  );
  if (counts.started > 0) log.warn({ ...counts, workflow }, 'workflows that were missing in Temporal were started');
  return counts;
}

/**
 * The task queues of those executions that are open, by id. Temporal's list lags a little, which only costs a start that
 * finds the execution.
 */
async function openAmong(temporal: TemporalClient, rows: readonly Unfinished[]): Promise<ReadonlyMap<string, string>> {
  // Our own ids hold letters, digits, dots and dashes only.
  const wanted = new Set(rows.map(({ workflowId }) => workflowId));
  const ids = [...wanted].map((id) => `'${id}'`).join(', ');
  const query = `ExecutionStatus = 'Running' and WorkflowId in (${ids})`;
  return temporal.withDeadline(Date.now() + CALL_DEADLINE_MS, async () => {
    const open = new Map<string, string>();
    for await (const { workflowId, taskQueue } of temporal.workflow.list({ query, pageSize: PAGE })) {
      open.set(workflowId, taskQueue);
    }
    return open;
  });
}

/** An open execution on a task queue of a former version is replaced: no worker polls that queue for workflow tasks. */
const replacing = (taskQueue: string | undefined): Pick<WorkflowStartOptions, 'workflowIdConflictPolicy'> => ({
  workflowIdConflictPolicy: taskQueue === undefined ? 'FAIL' : 'TERMINATE_EXISTING',
});

/** Starts it under its own id, which may be used again here: the row is unfinished. False when it ran already. */
async function restart(
  temporal: TemporalClient,
  workflow: string,
  options: WorkflowStartOptions & { readonly args: readonly unknown[] },
): Promise<boolean> {
  try {
    await temporal.withDeadline(Date.now() + CALL_DEADLINE_MS, () =>
      temporal.workflow.start(workflow, {
        ...options,
        args: [...options.args],
        workflowIdReusePolicy: 'ALLOW_DUPLICATE',
      }),
    );
    return true;
  } catch (error) {
    if (error instanceof WorkflowExecutionAlreadyStartedError) return false;
    throw error;
  }
}
