import type { Knex } from 'knex';
import { resumeTrace } from '../adapters/tracing/spans.ts';
import {
  type Leased,
  leaseDeliveries,
  leaseLeftDeliveries,
  leaseRuns,
  markRowsHandedOver,
  type PlannedTable,
  postponeRows,
} from '../db/writes/hand-over-rows.ts';
import type { DeliveryHandOver, RunHandOver } from '../db/reads/unfinished-work.ts';
import { automationStart } from '../workflows/contract.ts';
import { deliveryStart } from '../workflows/delivery-starts.ts';
import type { HandOverDeps } from './hand-over.ts';
import { gatherDeliveries, handOverBatches } from './hand-over-batches.ts';
import { CALLS_IN_FLIGHT, type StartCall, startOnce } from './start-once.ts';

/**
 * Starts a workflow for each planned delivery, or, when more than a few come in a second, for each batch of them. Returns whether
 * there may be more.
 */
export async function handOverDeliveries(deps: HandOverDeps, limit: number): Promise<boolean> {
  const { alone, more } = await gatherDeliveries(deps);
  const moreBatches = await handOverBatches(deps);
  const lease = (knex: Knex, most: number) => leaseDeliveries(knex, most, alone);
  const full = await handOverRows(deps, limit, { table: 'webhook_deliveries', lease, start: deliveryCall });
  return full || more || moreBatches;
}

/** Starts a workflow for each of so many deliveries that have left their batch. Returns whether there may be more. */
export const handOverLeftDeliveries = (deps: HandOverDeps, limit: number): Promise<boolean> =>
  handOverRows(deps, limit, { table: 'webhook_deliveries', lease: leaseLeftDeliveries, start: deliveryCall });

/** Starts a workflow for each planned run of an automation. Returns whether there may be more. */
export const handOverRuns = (deps: HandOverDeps, limit: number): Promise<boolean> =>
  handOverRows(deps, limit, { table: 'automation_logs', lease: leaseRuns, start: runCall });

/** How Temporal is told of a delivery. */
export const deliveryCall = ({ id, requestId, traceparent: _traceparent, ...delivery }: DeliveryHandOver) => ({
  type: 'deliverWebhook',
  options: deliveryStart({ ...delivery, deliveryId: id }, requestId),
});

/** How Temporal is told of a run. */
export const runCall = ({ id, requestId, traceparent: _traceparent, ...run }: RunHandOver) => ({
  type: 'runAutomation',
  options: automationStart({ ...run, logId: id }, requestId),
});

/** The rows are leased meanwhile, not locked: a call to Temporal must not hold up rows of other tenants. */
async function handOverRows<Row extends Pick<DeliveryHandOver, 'id' | 'traceparent'>>(
  { knex, temporal, log }: HandOverDeps,
  limit: number,
  {
    table,
    lease,
    start,
  }: {
    table: PlannedTable;
    lease: (knex: Knex, limit: number) => Promise<Leased<Row>>;
    start: (row: Row) => StartCall;
  },
): Promise<boolean> {
  const { rows, more } = await lease(knex, Math.min(limit, CALLS_IN_FLIGHT));
  if (rows.length === 0) return false;
  const outcomes = await Promise.all(
    rows.map(async (row) => {
      try {
        await resumeTrace('relay hand over', row.traceparent, () => startOnce(temporal, start(row)));
        return true;
      } catch (error) {
        log.warn({ err: error, table, id: row.id }, 'a workflow could not be started');
        return false;
      }
    }),
  );
  const ids = (done: boolean) => rows.filter((_, i) => outcomes[i] === done).map(({ id }) => id);
  await knex.transaction(async (trx) => {
    await markRowsHandedOver(trx, table, ids(true));
    await postponeRows(trx, table, ids(false));
  });
  return more;
}
