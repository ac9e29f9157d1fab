import { patienceAfter } from '../../domain/delivery-schedule.ts';
import { afterCalling, heldUntil } from '../../domain/endpoint-breaker.ts';
import type { DeliveryStatus, NoAnswer } from '../../domain/outbound.ts';
import { hasFeature, type Plan } from '../../domain/plans.ts';
import { newId } from '../ids.ts';
import { Webhook } from '../models/webhook.ts';
import { WebhookAttempt } from '../models/webhook-attempt.ts';
import { WebhookDelivery } from '../models/webhook-delivery.ts';
import { tenantOf, type TenantTransaction } from '../with-tenant.ts';
import { changeHealth, noRoomFor, queueForTurn } from './endpoint-turns.ts';
import { leaveBatch } from './leave-batch.ts';

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
  /** It is not the batch's to make, or not now: it has, or is to have, a run of its own. */
  | { readonly kind: 'alone' };

/** The endpoint failed again and again; another delivery probes it. */
export interface Held {
  readonly kind: 'held';
  readonly webhook: Webhook;
  readonly waitMs: number;
}

export interface OpeningOptions {
  readonly pausesS: readonly number[];
  readonly probeMs: number;
  /** Of the batch that carries the delivery, when it is the batch that asks. */
  readonly batchId?: string | undefined;
}

export interface OpenAttempt {
  readonly webhook: Webhook;
  readonly delivery: WebhookDelivery;
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
  const locked = await lockDelivery(trx, deliveryId);
  if (!locked) return { kind: 'gone' };
  const { webhook, delivery } = locked;
  if (delivery.status !== 'PENDING') return { kind: 'ended', status: delivery.status, before: true };

  const { now, plan, begun, ended } = await factsOf(trx, deliveryId);
  if (batchId !== undefined && (begun > 0 || delivery.batchId !== batchId || delivery.leftBatchAt !== null)) {
    return leave(trx, delivery, batchId);
  }
  if (!webhook.isActive || !hasFeature(plan, 'webhooks')) {
    const status = ended === 0 ? 'SKIPPED' : 'CANCELLED';
    await endDelivery(trx, deliveryId, { status, at: now });
    return { kind: 'ended', status, before: false };
  }
  const waitMs = (delivery.dueAt?.getTime() ?? 0) - now.getTime();
  if (waitMs > ON_TIME_MS) return batchId === undefined ? { kind: 'early', waitMs } : leave(trx, delivery, batchId);
  const patienceMs = patienceAfter(ended, pausesS);
  const asked = delivery.replay > 0 && ended === 0;
  const until = asked ? undefined : heldUntil(webhook, now);
  if (until && batchId !== undefined) return leave(trx, delivery, batchId);
  if (until)
    return { kind: 'held', webhook, waitMs: await queueForTurn(trx, webhook, { now, from: until, patienceMs }) };
  const noRoom = await noRoomFor(trx, { webhookId: webhook.id, deliveryId });
  if (noRoom && batchId !== undefined) {
    // The tenant's calls are those of its other batches too: that is no trouble of this endpoint, and soon over.
    return noRoom.of === 'tenant' ? { kind: 'busy', waitMs: noRoom.gapMs } : leave(trx, delivery, batchId);
  }
  if (noRoom) {
    const { gapMs } = noRoom;
    return { kind: 'busy', waitMs: await queueForTurn(trx, webhook, { now, gapMs, patienceMs }) };
  }

  await changeHealth(trx, webhook, afterCalling(webhook, now, probeMs));
  const number = ended + 1;
  const claimToken = newId();
  await WebhookAttempt.query(trx)
    .insert({ id: newId(), tenantId, deliveryId, number, claimToken, startedAt: now })
    .onConflict(['tenantId', 'deliveryId', 'number'])
    .merge(['claimToken', 'startedAt']);
  return { kind: 'open', attempt: { webhook, delivery, number, startedAt: now, claimToken } };
}

/** What is to be known beside the two rows, at one moment by PostgreSQL's clock, in one round trip. */
async function factsOf(
  trx: TenantTransaction,
  deliveryId: string,
): Promise<{ readonly now: Date; readonly plan: Plan; readonly begun: number; readonly ended: number }> {
  const { rows } = await trx.raw<{ rows: { now: Date; plan: Plan; begun: number; ended: number }[] }>(
    `select clock_timestamp() as now, t.plan, count(a.id)::int as begun, count(a.finished_at)::int as ended
       from tenants t left join webhook_attempts a on a.tenant_id = t.id and a.delivery_id = ?
      where t.id = ? group by t.id`,
    [deliveryId, tenantOf(trx)],
  );
  const [row] = rows;
  if (!row) throw new Error('a delivery without a tenant');
  return row;
}

async function leave(trx: TenantTransaction, { id }: WebhookDelivery, batchId: string): Promise<Opening> {
  await leaveBatch(trx, batchId, [id]);
  return { kind: 'alone' };
}

/** The webhook's row first, then the delivery's, as everybody locks them; undefined when they are gone. */
export async function lockDelivery(
  trx: TenantTransaction,
  deliveryId: string,
): Promise<{ webhook: Webhook; delivery: WebhookDelivery } | undefined> {
  const tenantId = tenantOf(trx);
  const ofDelivery = WebhookDelivery.query(trx).where({ tenantId, id: deliveryId }).select('webhookId');
  const webhook = await Webhook.query(trx).findOne({ tenantId }).whereIn('id', ofDelivery).forNoKeyUpdate();
  const delivery = webhook && (await WebhookDelivery.query(trx).findOne({ tenantId, id: deliveryId }).forUpdate());
  return delivery && { webhook, delivery };
}

/** How a call went. */
export interface Answer {
  /** 0 = no answer. */
  readonly statusCode: number;
  readonly errorCode: NoAnswer | null;
  readonly body: string;
  readonly durationMs: number;
}

/** Ends the attempt with that token. False when another attempt has taken over: what came late counts for nothing. */
export async function finishAttempt(
  trx: TenantTransaction,
  { deliveryId, claimToken }: { deliveryId: string; claimToken: string },
  { statusCode, errorCode, body: responseBody, durationMs }: Answer,
  finishedAt: Date,
): Promise<boolean> {
  const finished = await WebhookAttempt.query(trx)
    .where({ tenantId: tenantOf(trx), deliveryId, claimToken })
    .whereNull('finishedAt')
    .patch({ statusCode, responseBody, errorCode, durationMs, finishedAt });
  return finished > 0;
}

/** No attempt follows; `answer` is that of the last. */
export async function endDelivery(
  trx: TenantTransaction,
  deliveryId: string,
  { status, at, answer }: { status: Exclude<DeliveryStatus, 'PENDING'>; at: Date; answer?: Answer },
): Promise<void> {
  await WebhookDelivery.query(trx)
    .findOne({ tenantId: tenantOf(trx), id: deliveryId })
    .patch({
      ...answered(answer),
      status,
      completedAt: at,
      deliveredAt: status === 'DELIVERED' ? at : null,
      dueAt: null,
    });
}

/** After that answer the next attempt may begin then. */
export async function postponeDelivery(
  trx: TenantTransaction,
  deliveryId: string,
  { dueAt, answer }: { dueAt: Date; answer: Answer },
): Promise<void> {
  await WebhookDelivery.query(trx)
    .findOne({ tenantId: tenantOf(trx), id: deliveryId })
    .patch({ ...answered(answer), dueAt });
}

/** What a delivery shows of its newest attempt. */
const answered = (answer: Answer | undefined) =>
  answer && { statusCode: answer.statusCode, responseBody: answer.body, errorCode: answer.errorCode };
