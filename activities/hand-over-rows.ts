import type { Knex } from 'knex';
import { NO_TRACING } from '../adapters/tracing/tracing.ts';
import {
  type Claimed,
  claimDeliveries,
  claimLeftDeliveries,
  claimRuns,
  markRowsHandedOver,
  type PlannedTable,
  postponeRows,
} from '../db/writes/hand-over-rows.ts';
import type { DeliveryHandOver, RunHandOver } from '../db/reads/unfinished-work.ts';
import { automationStart } from '../workflows/contract.ts';
import { deliveryStart } from '../workflows/delivery-starts.ts';
import type { HandOverDeps } from './hand-over.ts';
import { gatherDeliveries, handOverBatches } from './hand-over-batches.ts';
import { type StartCall, startOnce } from './start-once.ts';

/** A start costs Temporal tens of milliseconds: more of them at once would not be answered within the deadline. */
const MOST_AT_ONCE = 40;

/**
 * Starts a workflow for each planned delivery, or, when more than a few come in a second, for each batch of them. Returns whether
 * there may be more.
 */
export async function handOverDeliveries(deps: HandOverDeps, limit: number): Promise<boolean> {
  const { alone, more } = await gatherDeliveries(deps);
  const moreBatches = await handOverBatches(deps);
  const claim = (trx: Knex.Transaction, most: number) => claimDeliveries(trx, most, alone);
  const full = await handOverRows(deps, limit, { table: 'webhook_deliveries', claim, start: deliveryCall });
  return full || more || moreBatches;
}

/** Starts a workflow for each of so many deliveries that have left their batch. Returns whether there may be more. */
export const handOverLeftDeliveries = (deps: HandOverDeps, limit: number): Promise<boolean> =>
  handOverRows(deps, limit, { table: 'webhook_deliveries', claim: claimLeftDeliveries, start: deliveryCall });

/** Starts a workflow for each planned run of an automation. Returns whether there may be more. */
export const handOverRuns = (deps: HandOverDeps, limit: number): Promise<boolean> =>
  handOverRows(deps, limit, { table: 'automation_logs', claim: claimRuns, start: runCall });

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

async function handOverRows<Row extends Pick<DeliveryHandOver, 'id' | 'traceparent'>>(
  { knex, temporal, log, tracing = NO_TRACING }: HandOverDeps,
  limit: number,
  {
    table,
    claim,
    start,
  }: {
    table: PlannedTable;
    claim: (trx: Knex.Transaction, limit: number) => Promise<Claimed<Row>>;
    start: (row: Row) => StartCall;
  },
): Promise<boolean> {
  const most = Math.min(limit, MOST_AT_ONCE);
  return knex.transaction(async (trx) => {
    const { rows, more } = await claim(trx, most);
    const outcomes = await Promise.all(
      rows.map(async (row) => {
        try {
          await tracing.resume('relay hand over', row.traceparent, () => startOnce(temporal, start(row)));
          return true;
        } catch (error) {
          log.warn({ err: error, table, id: row.id }, 'a workflow could not be started');
          return false;
        }
      }),
    );
    const ids = (done: boolean) => rows.filter((_, i) => outcomes[i] === done).map(({ id }) => id);
    await markRowsHandedOver(trx, table, ids(true));
    await postponeRows(trx, table, ids(false));
    return more;
  });
}
