import {
  type Client as TemporalClient,
  WorkflowExecutionAlreadyStartedError,
  type WorkflowStartOptions,
} from '@temporalio/client';
import { TypedSearchAttributes } from '@temporalio/common';
import type { Log } from '../adapters/log.ts';
import { resumeTrace } from '../adapters/tracing/spans.ts';
import type { DispatcherDb } from '../db/dispatcher-db.ts';
import { type DeliveryRow, leaseDeliveries, leaseReplays } from '../db/webhooks/lease-deliveries.ts';
import { backOff, type Leased, markDispatched, type OutboxTable } from '../db/writes/dispatch-rows.ts';
import { type AutomationRunRow, leaseAutomationRuns } from '../db/writes/lease-automation-runs.ts';
import { quoteLabel } from '../domain/quote-drawing.ts';
import {
  attributes,
  automationStart,
  type DeliveryRef,
  type DeliveryStart,
  once,
  queues,
  workflowIds,
} from '../workflows/contract.ts';

const CALL_DEADLINE_MS = 5_000;
/**
 * Calls that one step of the dispatcher has in flight: a start costs Temporal tens of milliseconds, so some of a larger
 * number would miss the deadline.
 */
export const MAX_CONCURRENT_CALLS = 40;

/** A workflow that is to be started, and how. */
export interface StartCall {
  readonly type: string;
  readonly options: WorkflowStartOptions & { readonly args: readonly unknown[] };
}

/** Starts it, unless an execution under its id exists or existed: that is the one that was wanted. */
export async function startOnce(temporal: TemporalClient, { type, options }: StartCall): Promise<void> {
  try {
    await temporal.withDeadline(Date.now() + CALL_DEADLINE_MS, () =>
      temporal.workflow.start(type, { ...options, args: [...options.args] }),
    );
  } catch (error) {
    if (!(error instanceof WorkflowExecutionAlreadyStartedError)) throw error;
  }
}

/**
 * Deliveries that are started in one step. A start costs Temporal tens of milliseconds, and events that happen meanwhile
 * wait for the step to end.
 */
const MAX_DELIVERIES = 8;

export interface DispatchDeps {
  readonly knex: DispatcherDb;
  readonly temporal: TemporalClient;
  readonly log: Log;
}

/** Starts a workflow for each delivery that may be dispatched now. Returns whether there may be more. */
export const dispatchDeliveries = (deps: DispatchDeps): Promise<boolean> =>
  dispatchRows(deps, MAX_DELIVERIES, { table: 'webhook_deliveries', lease: leaseDeliveries, start: startOfDelivery });

/** Starts a workflow for each repetition of a delivery. Returns whether there may be more. */
export const dispatchReplays = (deps: DispatchDeps): Promise<boolean> =>
  dispatchRows(deps, MAX_DELIVERIES, { table: 'webhook_deliveries', lease: leaseReplays, start: startOfDelivery });

/** Starts a workflow for each automation run. Returns whether there may be more. */
export const dispatchAutomationRuns = (deps: DispatchDeps): Promise<boolean> =>
  dispatchRows(deps, MAX_CONCURRENT_CALLS, {
    table: 'automation_logs',
    lease: leaseAutomationRuns,
    start: startOfAutomationRun,
  });

/** How the workflow of a delivery is started. */
export const startOfDelivery = ({ id, requestId, traceparent: _traceparent, ...delivery }: DeliveryRow) => ({
  type: 'deliverWebhook',
  options: deliveryStart({ ...delivery, deliveryId: id }, requestId),
});

/** How the workflow of an automation run is started. */
export const startOfAutomationRun = ({ id, requestId, traceparent: _traceparent, ...run }: AutomationRunRow) => ({
  type: 'runAutomation',
  options: automationStart({ ...run, logId: id }, requestId),
});

/** The rows are leased, not locked: a call to Temporal must not hold up rows of other tenants. */
async function dispatchRows<Row extends Pick<DeliveryRow, 'id' | 'traceparent'>>(
  { knex, temporal, log }: DispatchDeps,
  limit: number,
  {
    table,
    lease,
    start,
  }: {
    table: OutboxTable;
    lease: (knex: DispatcherDb, limit: number) => Promise<Leased<Row>>;
    start: (row: Row) => StartCall;
  },
): Promise<boolean> {
  const { rows, more } = await lease(knex, limit);
  if (rows.length === 0) return false;
  const outcomes = await Promise.all(
    rows.map(async (row) => {
      try {
        await resumeTrace('dispatcher dispatch', row.traceparent, () => startOnce(temporal, start(row)));
        return true;
      } catch (error) {
        log.warn({ err: error, table, id: row.id }, 'a workflow could not be started');
        return false;
      }
    }),
  );
  const ids = (isStarted: boolean) => rows.filter((_, i) => outcomes[i] === isStarted).map(({ id }) => id);
  await markDispatched(knex, table, ids(true));
  await backOff(knex, table, ids(false));
  return more;
}

/** How a delivery to a webhook is started. */
export const deliveryStart = ({ quoteId, quoteNumber, ...delivery }: DeliveryStart, requestId: string | null) => ({
  ...once,
  workflowId: workflowIds.delivery(delivery),
  taskQueue: queues.workflows,
  args: [{ tenantId: delivery.tenantId, deliveryId: delivery.deliveryId }] as [DeliveryRef],
  staticSummary: [
    `Webhook · ${delivery.event}`,
    ...(quoteNumber === null ? [] : [quoteLabel(quoteNumber)]),
    ...(delivery.replay === 0 ? [] : [`repetición ${delivery.replay}`]),
  ].join(' · '),
  // Its only activity waits between attempts, and only the server knows until when, so the text names where to find it.
  staticDetails: [
    `Entrega \`${delivery.deliveryId}\` del evento \`${delivery.event}\` al webhook \`${delivery.webhookId}\`.`,
    '',
    'Mientras el endpoint no conteste 2xx, se le vuelve a llamar. **Pending Activities** dice el último resultado y la hora del siguiente intento.',
  ].join('\n'),
  typedSearchAttributes: new TypedSearchAttributes([
    { key: attributes.tenantId, value: delivery.tenantId },
    { key: attributes.webhookId, value: delivery.webhookId },
    { key: attributes.eventType, value: delivery.event },
    ...(quoteId === null ? [] : [{ key: attributes.quoteId, value: quoteId }]),
    ...(quoteNumber === null ? [] : [{ key: attributes.quoteNumber, value: quoteNumber }]),
  ]),
  memo: { requestId: requestId ?? '' },
  priority: { fairnessKey: delivery.tenantId },
});
