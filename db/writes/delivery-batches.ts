import type { Knex } from 'knex';
import { carried } from '../reads/carried-deliveries.ts';
import { byTurns } from './by-turns.ts';
import { type BatchHandOver, deliveryColumns, type DeliveryHandOver } from '../reads/unfinished-work.ts';

/** Deliveries that are carried together. All of it as the relay's role, over all tenants. */

/** One relay at a time decides which deliveries go together. */
const GATHERING = 'deliveries.gather';

/** A delivery that waits for its hand-over, as far as deciding its form needs it. */
export interface WaitingDelivery {
  readonly id: string;
  readonly tenantId: string;
  readonly webhookId: string;
  /** Whether others that left a batch for the same webhook still wait for their runs. */
  readonly isInTrouble: boolean;
}

export interface LookOptions {
  /** Of each tenant's deliveries that wait the longest, so many are looked at. */
  readonly among: number;
  /** Of one webhook, so many are locked, and of all `limit`. */
  readonly ofWebhook: number;
  readonly limit: number;
  /** Webhooks that had a batch lately: while they are in trouble, what waits for them is left out. */
  readonly recent: readonly string[];
}

/**
 * Locks the oldest deliveries that are due for hand-over and that no batch has carried, by turns of tenants, or answers none when another
 * relay is at it. What waits for a webhook of which a batch has deliveries in its hands is left out: the endpoint's two
 * calls are that batch's, and who came later would only find it busy. So is what a batch for its webhook cannot hold.
 */
export async function lockWaitingDeliveries(
  trx: Knex.Transaction,
  { among, ofWebhook, limit, recent }: LookOptions,
): Promise<readonly WaitingDelivery[]> {
  const lock = await trx.raw<{ rows: { mine: boolean }[] }>(
    'select pg_try_advisory_xact_lock(hashtextextended(?, 0)) as mine',
    [GATHERING],
  );
  if (lock.rows[0]?.mine !== true) return [];
  const { rows } = await trx.raw<{ rows: WaitingDelivery[] }>(
    `with recursive left_over as materialized (
       select distinct webhook_id from webhook_deliveries
        where handed_over_at is null and status = 'PENDING' and left_batch_at is not null
     ), carrying as materialized (
       select distinct d.webhook_id from webhook_deliveries d where ${carried('d')}
     ), ${byTurns({
       table: 'webhook_deliveries',
       waits: WAITS,
       due: `${IN_NO_BATCH} and not d.webhook_id in (select webhook_id from carrying)
             and not (d.webhook_id = any (?) and d.webhook_id in (select webhook_id from left_over))`,
       age: 'd.next_attempt_at, d.created_at, d.id',
       column: 'webhook_id',
     })}, placed as (
       select *, row_number() over (partition by webhook_id order by turn) as place from turns
     ), taken as (
       select id, row_number() over (partition by tenant_id order by turn) as turn from placed where place <= ?
     )
     select d.id, d.tenant_id as "tenantId", d.webhook_id as "webhookId",
            d.webhook_id in (select webhook_id from left_over) as "isInTrouble"
       from taken join webhook_deliveries d on d.id = taken.id
      where ${WAITS} and ${IN_NO_BATCH}
      order by taken.turn, d.next_attempt_at, d.created_at, d.id limit ? for update of d skip locked`,
    [[...recent], among, ofWebhook, limit],
  );
  return rows;
}

const WAITS = "d.handed_over_at is null and d.status = 'PENDING'";
const IN_NO_BATCH = 'd.batch_id is null and d.next_attempt_at <= now()';

/** Puts each list of deliveries into a batch's hands, which is named after the first of them. */
export async function putIntoBatches(trx: Knex.Transaction, batches: readonly (readonly string[])[]): Promise<void> {
  if (batches.length === 0) return;
  const pairs = batches.flatMap((ids) => ids.map((id) => ({ id, batchId: ids[0] ?? id })));
  await trx.raw(
    `update webhook_deliveries d set batch_id = b.batch_id
       from unnest(?::text[], ?::text[]) as b (id, batch_id) where d.id = b.id`,
    [pairs.map(({ id }) => id), pairs.map(({ batchId }) => batchId)],
  );
}

/** Batches that were made and that Temporal may not know of: of each tenant the oldest, then of each the second, and so on. */
export async function waitingBatches(knex: Knex, limit: number): Promise<readonly string[]> {
  const { rows } = await knex.raw<{ rows: { batchId: string }[] }>(
    `with waiting as (
       select d.tenant_id, d.batch_id, min(d.created_at) as since from webhook_deliveries d
        where d.handed_over_at is null and d.next_attempt_at <= now() and ${carried('d')}
        group by d.tenant_id, d.batch_id
     ), turns as (
       select batch_id, since, row_number() over (partition by tenant_id order by since, batch_id) as turn from waiting
     )
     select batch_id as "batchId" from turns order by turn, since limit ?`,
    [limit],
  );
  return rows.map(({ batchId }) => batchId);
}

/** Locks a batch with what it carries and has yet to hand over; undefined when another relay is at it, or was. */
export async function claimBatch(trx: Knex.Transaction, batchId: string): Promise<BatchHandOver | undefined> {
  // All of it or nothing: two relays with a half each would start it with the half of one.
  const lock = await trx.raw<{ rows: { mine: boolean }[] }>(
    'select pg_try_advisory_xact_lock(hashtextextended(?, 0)) as mine',
    [`batch.${batchId}`],
  );
  if (lock.rows[0]?.mine !== true) return undefined;
  const { rows } = await trx.raw<{ rows: DeliveryHandOver[] }>(
    `with due as materialized (
       select * from webhook_deliveries d
        where d.batch_id = ? and d.handed_over_at is null and ${carried('d')} order by next_attempt_at, created_at, id for update
     ) select ${deliveryColumns('due')} from due order by next_attempt_at, created_at, id`,
    [batchId],
  );
  const [first] = rows;
  return first && { batchId, tenantId: first.tenantId, deliveries: rows };
}

/** The batch will not carry them: each is to have a run of its own. Returns the ids of those for which that is news. */
export async function takeFromBatch(knex: Knex, ids: readonly string[]): Promise<readonly string[]> {
  const { rows } = await knex.raw<{ rows: { id: string }[] }>(
    `update webhook_deliveries d set left_batch_at = now() where d.id = any (?) and ${carried('d')} returning d.id`,
    [[...ids]],
  );
  return rows.map(({ id }) => id);
}
