import { patienceAfter } from '../../domain/delivery-schedule.ts';
import { afterCalling, heldUntil } from '../../domain/endpoint-breaker.ts';
import type { DeliveryStatus } from '../../domain/http-delivery.ts';
import { hasFeature, type Plan } from '../../domain/plans.ts';
import { type NamedStatement, type RowsOfEach, sendAtOnce, sendLast } from '../at-once.ts';
import { newId } from '../ids.ts';
import { tenantOf, type TenantTransaction } from '../with-tenant.ts';
import { endDelivery } from './close-attempt.ts';
import { beginIfRoom, changeHealth, noRoomIn, oneAtATime, queueForTurn } from './endpoint-turns.ts';
import { type LockedDelivery, type LockedWebhook, lockDelivery, lockedRows } from './lock-delivery.ts';

/** Temporal's timer and PostgreSQL's clock differ a little: so much too early is on time. Milliseconds. */
const ON_TIME_MS = 250;

/** What the next attempt of a delivery is, or why there is none now. */
export type Opening =
  | { readonly kind: 'open'; readonly attempt: OpenAttempt }
  | { readonly kind: 'ended'; readonly status: DeliveryStatus; readonly before: boolean }
  /** Deleted, and its webhook with it. */
  | { readonly kind: 'gone' }
  /** Others are being called: the endpoint's two, or all that the tenant is given. A batch hears it of the latter only. */
  | { readonly kind: 'busy'; readonly waitMs: number }
  | Held
  | { readonly kind: 'early'; readonly waitMs: number }
  /** It is not the batch's to make, or not now: it has, or is to have, a run of its own; the caller takes it out. */
  | { readonly kind: 'alone' };

/** The endpoint failed again and again; another delivery probes it. */
export interface Held {
  readonly kind: 'held';
  readonly webhook: LockedWebhook;
  readonly waitMs: number;
}

export interface OpeningOptions {
  readonly pausesS: readonly number[];
  readonly probeMs: number;
  /** Of the batch that carries the delivery, when it is the batch that asks. */
  readonly batchId?: string | undefined;
}

export interface OpenAttempt {
  readonly webhook: LockedWebhook;
  readonly delivery: LockedDelivery;
  /** From 1. */
  readonly number: number;
  /** When it was opened, by PostgreSQL's clock. */
  readonly startedAt: Date;
  /** Whoever holds the newest may close the attempt. */
  readonly claimToken: string;
}

/**
 * Opens the next attempt before the call is made, so that one that dies is seen. Its number follows the attempts that
 * ended: one that died with its worker, or found the endpoint busy, is made again under the same number. A delivery
 * whose webhook is off, or whose tenant has no plan for it, ends here: skipped, or cancelled after attempts. One that is
 * due but must wait, for its endpoint is busy or left alone, spends no attempt; the first attempt of a repetition is
 * never left waiting by failures of others, since somebody asked for it.
 *
 * In a batch a delivery has its first attempt, if that can be made at once; whatever would have to wait for its endpoint
 * leaves the batch, and so does one whose attempt was begun before: who began it may have died with it, or not.
 */
export async function openAttempt(
  trx: TenantTransaction,
  deliveryId: string,
  { pausesS, probeMs, batchId }: OpeningOptions,
): Promise<Opening> {
  const tenantId = tenantOf(trx);
  const known = await sendAtOnce(trx, [...lockDelivery(tenantId, deliveryId), factsOf(tenantId, deliveryId)]);
  const locked = lockedRows(known);
  if (!locked) return { kind: 'gone' };
  const { webhook, delivery } = locked;
  if (delivery.status !== 'PENDING') return { kind: 'ended', status: delivery.status, before: true };

  const { now, plan, begun, ended } = factsIn(known);
  const isTheirs = begun === 0 && delivery.batchId === batchId && delivery.leftBatchAt === null;
  if (batchId !== undefined && !isTheirs) return { kind: 'alone' };
  if (!webhook.isActive || !hasFeature(plan, 'webhooks')) {
    const status = ended === 0 ? 'SKIPPED' : 'CANCELLED';
    await endDelivery(trx, deliveryId, { status, at: now });
    return { kind: 'ended', status, before: false };
  }
  const waitMs = (delivery.dueAt?.getTime() ?? 0) - now.getTime();
  if (waitMs > ON_TIME_MS) return batchId === undefined ? { kind: 'early', waitMs } : { kind: 'alone' };
  const patienceMs = patienceAfter(ended, pausesS);
  const asked = delivery.replay > 0 && ended === 0;
  const until = asked ? undefined : heldUntil(webhook, now);
  if (until && batchId !== undefined) return { kind: 'alone' };
  if (until)
    return { kind: 'held', webhook, waitMs: await queueForTurn(trx, webhook, { now, from: until, patienceMs }) };

  const attempt = { webhook, delivery, number: ended + 1, startedAt: now, claimToken: newId() };
  const probing = afterCalling(webhook, now, probeMs);
  // A batch has nothing more to write then, whatever the answer is.
  const finish = batchId !== undefined && Object.keys(probing).length === 0 ? sendLast : sendAtOnce;
  const [, counted] = await finish(trx, [
    oneAtATime(tenantId),
    beginIfRoom(tenantId, { webhookId: webhook.id, deliveryId, ...attempt }),
  ]);
  const noRoom = noRoomIn(counted);
  if (!noRoom) {
    await changeHealth(trx, webhook, probing);
    return { kind: 'open', attempt };
  }
  const { of, gapMs } = noRoom;
  if (batchId === undefined) {
    return { kind: 'busy', waitMs: await queueForTurn(trx, webhook, { now, gapMs, patienceMs }) };
  }
  // The tenant's calls are those of its other batches too: that is no trouble of this endpoint, and soon over.
  return of === 'tenant' ? { kind: 'busy', waitMs: gapMs } : { kind: 'alone' };
}

interface Facts {
  readonly now: Date;
  readonly plan: Plan;
  /** Attempts, and those of them that have ended. */
  readonly begun: number;
  readonly ended: number;
}

/** What is to be known beside the two rows, at one moment by PostgreSQL's clock, when they are locked. */
const factsOf = (tenantId: string, deliveryId: string): NamedStatement => ({
  name: 'facts-of-delivery',
  text: `select clock_timestamp() as now, t.plan, count(a.id)::int as begun, count(a.finished_at)::int as ended
     from tenants t left join webhook_attempts a on a.tenant_id = t.id and a.delivery_id = $2
    where t.id = $1 group by t.id`,
  values: [tenantId, deliveryId],
});

function factsIn([, , rows]: RowsOfEach): Facts {
  // The columns are those of the statement above.
  const [row] = rows as Facts[];
  if (!row) throw new Error('a delivery without a tenant');
  return row;
}
