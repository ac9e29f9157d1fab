import { resumeTrace } from '../adapters/tracing/spans.ts';
import type { DispatcherDb } from '../db/dispatcher-db.ts';
import type { AutomationRunRow, DeliveryRow } from '../db/reads/unfinished-work.ts';
import { leaseDeliveries } from '../db/webhooks/lease-deliveries.ts';
import {
  backOffRows,
  type DispatchedTable,
  type Leased,
  leaseAutomationRuns,
  leaseReplays,
  markRowsDispatched,
} from '../db/writes/dispatch-rows.ts';
import { automationStart } from '../workflows/contract.ts';
import { deliveryStart } from '../workflows/delivery-start.ts';
import type { DispatchDeps } from './dispatch-events.ts';
import { MAX_CONCURRENT_CALLS, type StartCall, startOnce } from './start-once.ts';

/**
 * Deliveries that are started in one step. A start costs Temporal tens of milliseconds, and events that happen meanwhile
 * wait for the step to end.
 */
const MAX_DELIVERIES = 8;

export interface DispatchRowsDeps extends DispatchDeps {
  readonly knex: DispatcherDb;
}

/** Starts a workflow for each delivery that may be dispatched now. Returns whether there may be more. */
export const dispatchDeliveries = (deps: DispatchRowsDeps): Promise<boolean> =>
  dispatchRows(deps, MAX_DELIVERIES, { table: 'webhook_deliveries', lease: leaseDeliveries, start: startOfDelivery });

/** Starts a workflow for each repetition of a delivery. Returns whether there may be more. */
export const dispatchReplays = (deps: DispatchRowsDeps): Promise<boolean> =>
  dispatchRows(deps, MAX_DELIVERIES, { table: 'webhook_deliveries', lease: leaseReplays, start: startOfDelivery });

/** Starts a workflow for each automation run. Returns whether there may be more. */
export const dispatchAutomationRuns = (deps: DispatchRowsDeps): Promise<boolean> =>
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
  { knex, temporal, log }: DispatchRowsDeps,
  limit: number,
  {
    table,
    lease,
    start,
  }: {
    table: DispatchedTable;
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
  await knex.transaction(async (trx) => {
    await markRowsDispatched(trx, table, ids(true));
    await backOffRows(trx, table, ids(false));
  });
  return more;
}
