import type { Knex } from 'knex';
import pLimit from 'p-limit';
import { resumeTrace } from '../adapters/tracing/spans.ts';
import { isRefused } from '../adapters/temporal/status.ts';
import {
  claimBatch,
  lockWaitingDeliveries,
  putIntoBatches,
  takeFromBatch,
  waitingBatches,
  type WaitingDelivery,
} from '../db/writes/delivery-batches.ts';
import { markRowsHandedOver, postponeRows } from '../db/writes/hand-over-rows.ts';
import type { BatchHandOver } from '../db/reads/unfinished-work.ts';
import { firstAttemptsStart } from '../workflows/delivery-starts.ts';
import type { HandOverDeps } from './hand-over.ts';
import { createPace } from './run-pace.ts';
import { startOnce } from './start-once.ts';

/** Deliveries that one run carries. */
const MOST_CARRIED = 50;
/** Deliveries of a tenant among which those that go together are looked for, and how many of all are put together at once. */
const LOOKED_AT = 5_000;
const GATHERED = 1_000;
/** Batches that are handed over in one pass, and at the same time: each takes a connection meanwhile. */
const MOST_BATCHES = 8;
const AT_ONCE = 2;

const TABLE = 'webhook_deliveries';

/**
 * Decides the form of what waits. When that is more than a few, those of one tenant are put into batches; that is
 * committed before Temporal hears of any, so that a repeated hand-over is of the same deliveries. Returns the ids of
 * those that are to have a run of their own, and whether more may wait: what was put together hid others from this look.
 */
export function gatherDeliveries({
  knex,
  pace = createPace(),
}: HandOverDeps): Promise<{ alone: readonly string[]; more: boolean }> {
  return knex.transaction(async (trx) => {
    const waiting = await lockWaitingDeliveries(trx, {
      among: LOOKED_AT,
      ofWebhook: MOST_CARRIED,
      limit: GATHERED,
      // What would leave its batch at once need not have one of its own each time: it only finds the endpoint as it was.
      recent: pace.recentlyTogether(),
    });
    const isCalm = waiting.every(({ isInTrouble }) => !isInTrouble);
    if (isCalm && pace.allows(waiting.length)) return { alone: waiting.map(({ id }) => id), more: false };
    const packed = [...grouped(waiting, ({ tenantId }) => tenantId).values()].flatMap(pack);
    const batches = packed.filter(({ length }) => length > 1);
    await putIntoBatches(trx, batches);
    pace.putTogether(waiting.map(({ webhookId }) => webhookId));
    return { alone: packed.filter(({ length }) => length === 1).flat(), more: batches.length > 0 };
  });
}

/** Starts the run of each batch that Temporal does not know of, by turns of tenants. Returns whether more may wait. */
export async function handOverBatches(deps: HandOverDeps): Promise<boolean> {
  const batchIds = await waitingBatches(deps.knex, MOST_BATCHES);
  const room = pLimit(AT_ONCE);
  const started = await Promise.all(batchIds.map((batchId) => room(() => handOverBatch(deps, batchId))));
  // If none could be started, the next pass would not start one either: it can wait for its time.
  return batchIds.length === MOST_BATCHES && started.includes(true);
}

/** Returns whether Temporal has its run now. */
function handOverBatch({ knex, temporal, log }: HandOverDeps, batchId: string): Promise<boolean> {
  return knex.transaction(async (trx: Knex.Transaction) => {
    const batch = await claimBatch(trx, batchId);
    if (!batch) return false;
    const ids = batch.deliveries.map(({ id }) => id);
    try {
      // It comes of many traces; the first of them shows it.
      await resumeTrace('relay hand over', batch.deliveries[0]?.traceparent ?? null, () =>
        startOnce(temporal, batchCall(batch)),
      );
    } catch (error) {
      log.warn({ err: error, batchId, deliveries: ids.length }, 'a batch of deliveries could not be started');
      // A server that knows not its attributes never takes it: then each of them goes on alone.
      await (isRefused(error) ? takeFromBatch(trx, ids) : postponeRows(trx, TABLE, ids));
      return false;
    }
    await markRowsHandedOver(trx, TABLE, ids);
    return true;
  });
}

const batchCall = ({ deliveries, ...batch }: BatchHandOver) => ({
  type: 'deliverFirstAttempts',
  options: firstAttemptsStart(
    {
      ...batch,
      deliveries: deliveries.map(({ id, requestId: _requestId, traceparent: _traceparent, ...delivery }) => ({
        ...delivery,
        deliveryId: id,
      })),
    },
    deliveries.flatMap(({ requestId }) => requestId ?? []),
  ),
});

/**
 * The deliveries of one tenant in as few batches as they need, the oldest first. What waits for one webhook stays
 * together, as much as one batch carries, and the rest of it is for later: two batches would be in each other's way.
 */
function pack(deliveries: readonly WaitingDelivery[]): readonly (readonly string[])[] {
  const batches: string[][] = [];
  for (const ofWebhook of grouped(deliveries, ({ webhookId }) => webhookId).values()) {
    const ids = ofWebhook.slice(0, MOST_CARRIED).map(({ id }) => id);
    const batch = batches.find(({ length }) => length + ids.length <= MOST_CARRIED);
    if (batch) batch.push(...ids);
    else batches.push(ids);
  }
  return batches;
}

function grouped<T>(items: readonly T[], keyOf: (item: T) => string): ReadonlyMap<string, readonly T[]> {
  const groups = new Map<string, T[]>();
  for (const item of items) groups.set(keyOf(item), [...(groups.get(keyOf(item)) ?? []), item]);
  return groups;
}
