import {
  type Client as TemporalClient,
  type Connection,
  WorkflowExecutionAlreadyStartedError,
  type WorkflowStartOptions,
} from '@temporalio/client';
import type { Knex } from 'knex';
import type { Log } from '../adapters/log.ts';
import { registerSearchAttributes } from '../adapters/temporal/search-attributes.ts';
import {
  openQuotes,
  type PageOf,
  pendingDeliveries,
  pendingMails,
  pendingReminders,
  triggeredRuns,
} from '../db/reads/unfinished-work.ts';
import { attributes, lifecycleStart, mailStart, remindStart } from '../workflows/contract.ts';
import { deliveryCall, runCall } from './hand-over-rows.ts';

/**
 * Compares what PostgreSQL says is unfinished with what runs in Temporal, and starts what is missing: Temporal's whole
 * store may be lost, and nothing is. A run that is started needlessly finds its row finished and ends.
 */

export interface ReconcileDeps {
  /** As the relay's role. */
  readonly knex: Knex;
  readonly temporal: TemporalClient;
  /** The client's. */
  readonly connection: Connection;
  readonly namespace: string;
  readonly log: Log;
}

export interface ReconcileOptions {
  /** What is younger is left to the relay. */
  readonly olderThanSeconds?: number;
  /** Ends the pass early; what it had not come to is found by the next. */
  readonly signal?: AbortSignal;
}

/** How many runs were started, by workflow. */
export type Restarted = Readonly<Record<string, number>>;

interface StartCall {
  readonly type: string;
  readonly options: WorkflowStartOptions & { readonly args: readonly unknown[] };
}

/** How one kind of unfinished rows is found, and which run each of them should have. */
interface Kind {
  readonly workflow: string;
  readonly pages: (
    knex: Knex,
    request: Parameters<PageOf<unknown>>[1],
  ) => Promise<readonly { readonly id: string; readonly call: StartCall }[]>;
}

const kind = <Row extends { readonly id: string }>(
  workflow: string,
  page: PageOf<Row>,
  call: (row: Row) => StartCall['options'],
): Kind => ({
  workflow,
  pages: async (knex, request) =>
    (await page(knex, request)).map((row) => ({ id: row.id, call: { type: workflow, options: call(row) } })),
});

const KINDS: readonly Kind[] = [
  kind('quoteLifecycle', openQuotes, ({ id, ...quote }) => lifecycleStart({ ...quote, quoteId: id }, null)),
  kind('deliverWebhook', pendingDeliveries, (row) => deliveryCall(row).options),
  kind('runAutomation', triggeredRuns, (row) => runCall(row).options),
  kind('remind', pendingReminders, ({ id, dueAt, ...reminder }) =>
    remindStart({ ...reminder, reminderId: id, dueAt: dueAt.toISOString() }),
  ),
  kind('sendMail', pendingMails, ({ id, tenantId }) => mailStart({ tenantId, mailId: id }, null)),
];

/** Rows looked at together: their ids make one question to Temporal. */
const PAGE = 100;
/** Starts under way at the same time; each costs Temporal tens of milliseconds. */
const LANES = 8;
const CALL_DEADLINE_MS = 10_000;

/** One pass over all kinds. Throws when PostgreSQL or Temporal cannot be reached; the next pass begins anew. */
export async function reconcile(
  deps: ReconcileDeps,
  { olderThanSeconds = 60, signal }: ReconcileOptions = {},
): Promise<Restarted> {
  // A store that was wiped has forgotten these too, and a workflow that sets an unknown one stalls.
  await registerSearchAttributes(deps.connection, deps.namespace, Object.values(attributes));
  const restarted: Record<string, number> = {};
  for (const { workflow, pages } of KINDS) {
    restarted[workflow] = 0;
    let after = '';
    while (!signal?.aborted) {
      const rows = await pages(deps.knex, { after, limit: PAGE, olderThanSeconds });
      restarted[workflow] += await startMissing(
        deps,
        rows.map(({ call }) => call),
      );
      const last = rows.at(-1);
      if (!last || rows.length < PAGE) break;
      after = last.id;
    }
  }
  return restarted;
}

async function startMissing({ temporal, log }: ReconcileDeps, calls: readonly StartCall[]): Promise<number> {
  if (calls.length === 0) return 0;
  const running = await runningAmong(temporal, calls);
  const missing = calls.filter(({ options }) => !running.has(options.workflowId));
  const queue = [...missing];
  let started = 0;
  const lane = async () => {
    for (let call = queue.shift(); call; call = queue.shift()) {
      if (await restart(temporal, log, call)) started += 1;
    }
  };
  await Promise.all(Array.from({ length: LANES }, lane));
  if (started > 0) log.warn({ started, workflow: calls[0]?.type }, 'runs that were missing in Temporal were started');
  return started;
}

/** The ids of these runs that are open. Temporal's list lags a little, which only costs a start that finds the run. */
async function runningAmong(temporal: TemporalClient, calls: readonly StartCall[]): Promise<ReadonlySet<string>> {
  // Our own ids hold letters, digits, dots and dashes only.
  const ids = calls.map(({ options }) => `'${options.workflowId}'`).join(', ');
  const running = new Set<string>();
  const query = `ExecutionStatus = 'Running' and WorkflowId in (${ids})`;
  for await (const { workflowId } of temporal.workflow.list({ query, pageSize: PAGE })) running.add(workflowId);
  return running;
}

/** Starts it under its own id, which may be used again here: the row is unfinished. One that fails holds up no other. */
async function restart(temporal: TemporalClient, log: Log, { type, options }: StartCall): Promise<boolean> {
  try {
    await temporal.withDeadline(Date.now() + CALL_DEADLINE_MS, () =>
      temporal.workflow.start(type, { ...options, args: [...options.args], workflowIdReusePolicy: 'ALLOW_DUPLICATE' }),
    );
    return true;
  } catch (error) {
    if (!(error instanceof WorkflowExecutionAlreadyStartedError)) {
      log.warn({ err: error, workflowId: options.workflowId }, 'a missing run could not be started');
    }
    return false;
  }
}
