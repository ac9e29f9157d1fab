import { afterFailure } from '../../domain/endpoint-breaker.ts';
import { isSuccess } from '../../domain/http-delivery.ts';
import type { WorkflowExecutionRef } from '../../domain/workflow-execution-ref.ts';
import { type NamedStatement, type PipelinedTransaction, type Sender, senderOf } from '../pipeline.ts';
import { newId } from '../ids.ts';
import { Webhook } from '../models/webhook.ts';
import { WebhookDelivery } from '../models/webhook-delivery.ts';
import { tenantOf, type TenantTransaction } from '../with-tenant.ts';
import { notify, ownersAnd } from '../writes/notify.ts';
import { recordAudit } from '../writes/record-audit.ts';
import {
  endDelivery,
  type EndpointResponse,
  LOCK_DELIVERY,
  LOCKED_COLUMNS,
  type LockedRow,
  lockedRows,
  type LockedWebhook,
  newestAttempt,
  updateHealth,
} from './delivery-rows.ts';

/** A webhook without a success for this time is disabled. */
const MAX_FAILING_MS = 5 * 24 * 60 * 60 * 1000;
/** The endpoint wants no more deliveries. */
const HTTP_GONE = 410;

/** What follows an attempt. */
export type AttemptResult =
  | { readonly kind: 'delivered' | 'exhausted' }
  | { readonly kind: 'retry'; readonly pauseMs: number }
  | { readonly kind: 'webhook_deleted' }
  /** A later attempt has superseded this one: nothing was recorded. */
  | { readonly kind: 'superseded' };

/** What was recorded, and whether another delivery waits for the place of this one at its endpoint. */
export interface RecordedAttempt {
  readonly result: AttemptResult;
  readonly freesSlot: boolean;
}

/** An attempt by the token that it began with. */
export interface AttemptRef {
  readonly deliveryId: string;
  readonly claimToken: string;
}

export interface ResultOptions {
  /** Until the next attempt; undefined when this was the last. */
  readonly pauseMs: number | undefined;
  readonly probeMs: number;
  /** The execution that made the attempt, for the audit entry of what follows. */
  readonly run: WorkflowExecutionRef;
}

/** Records a 2xx response in one round trip: the delivery is delivered, its endpoint works. */
export async function recordSuccess(
  { tenantId, sendAndCommit }: PipelinedTransaction,
  attempt: AttemptRef,
  response: EndpointResponse,
): Promise<RecordedAttempt> {
  const row = await finishAttempt({ tenantId, send: sendAndCommit }, attempt, response);
  return row?.finishedAt ? { result: { kind: 'delivered' }, freesSlot: row.freesSlot } : notRecorded(row);
}

/**
 * Records any other outcome and what follows: another attempt after `pauseMs`, or the end when that is undefined. A 410, and
 * a failure five days after the first since the last success, switch the webhook off; before that, consecutive failures open
 * its circuit.
 */
export async function recordFailure(
  trx: TenantTransaction,
  attempt: AttemptRef,
  response: EndpointResponse,
  options: ResultOptions,
): Promise<RecordedAttempt> {
  const row = await finishAttempt(senderOf(trx), attempt, response);
  if (!row?.finishedAt) return notRecorded(row);
  const { finishedAt, freesSlot } = row;
  const { webhook } = lockedRows(row);
  return { result: await afterFailedAttempt(trx, { ...options, webhook, attempt, response, finishedAt }), freesSlot };
}

async function finishAttempt(
  { tenantId, send }: Pick<Sender, 'tenantId' | 'send'>,
  attempt: AttemptRef,
  response: EndpointResponse,
): Promise<FinishedRow | undefined> {
  const [rows] = await send([finishStatement(tenantId, attempt, response)]);
  // The columns are those of the statement below.
  const [row] = rows as FinishedRow[];
  return row;
}

const notRecorded = (row: FinishedRow | undefined): RecordedAttempt => ({
  result: { kind: row ? 'superseded' : 'webhook_deleted' },
  freesSlot: false,
});

type FinishedRow = LockedRow & { readonly finishedAt: Date | null; readonly freesSlot: boolean };

/**
 * Ends the attempt with that token, unless a later one has superseded it. After a success it also ends the delivery and resets the
 * endpoint's health, but not after every success: that would take away the slots of deliveries that are only throttled.
 */
const finishStatement = (
  tenantId: string,
  { deliveryId, claimToken }: AttemptRef,
  { statusCode, errorCode, body, durationMs }: EndpointResponse,
): NamedStatement => ({
  name: 'finish-attempt',
  text: `with ${LOCK_DELIVERY}, finished as (
       update webhook_attempts a
          set status_code = $4, error_code = $5, response_body = $6, duration_ms = $7, finished_at = clock_timestamp()
         from delivery d
        where a.tenant_id = $1 and a.delivery_id = d.id and a.claim_token = $3 and a.finished_at is null
       returning a.finished_at
     ), delivered as (
       update webhook_deliveries d
          set status = 'DELIVERED', status_code = $4, error_code = $5, response_body = $6, due_at = null,
              completed_at = f.finished_at, delivered_at = f.finished_at
         from finished f where d.tenant_id = $1 and d.id = $2 and $8
     ), recovered as (
       update webhooks w set consecutive_failures = 0, failing_since = null, next_probe_at = null, next_slot_at = null
         from finished, webhook h
        where w.tenant_id = $1 and w.id = h.id and $8
          and (h.consecutive_failures > 0 or h.failing_since is not null)
     )
     select ${LOCKED_COLUMNS}, (select finished_at from finished) as "finishedAt",
            (d.status_code is null or w.consecutive_failures > 0) and exists (
              select from webhook_deliveries other
               where other.tenant_id = $1 and other.webhook_id = w.id and other.dispatched_at is null
                 and other.status = 'PENDING' and other.replay = 0) as "freesSlot"
       from webhook w, delivery d`,
  values: [tenantId, deliveryId, claimToken, statusCode, errorCode, body, durationMs, isSuccess(statusCode)],
});

async function afterFailedAttempt(
  trx: TenantTransaction,
  {
    webhook,
    attempt: { deliveryId },
    response,
    finishedAt,
    pauseMs,
    probeMs,
    run,
  }: ResultOptions & {
    readonly webhook: LockedWebhook;
    readonly attempt: AttemptRef;
    readonly response: EndpointResponse;
    readonly finishedAt: Date;
  },
): Promise<AttemptResult> {
  await updateHealth(trx, webhook, afterFailure(webhook, finishedAt, probeMs));
  const failingSince = webhook.failingSince ?? finishedAt;
  const isGone = response.statusCode === HTTP_GONE;
  const isFailingTooLong = finishedAt.getTime() - failingSince.getTime() >= MAX_FAILING_MS;
  if (isGone || isFailingTooLong) await disable(trx, webhook, { reason: isGone ? 'gone' : 'failing', run });
  if (isGone || isFailingTooLong || pauseMs === undefined) {
    await endDelivery(trx, deliveryId, { status: 'EXHAUSTED', at: finishedAt, response });
    return { kind: 'exhausted' };
  }
  await WebhookDelivery.query(trx)
    .findOne({ tenantId: tenantOf(trx), id: deliveryId })
    .patch({ ...newestAttempt(response), dueAt: new Date(finishedAt.getTime() + pauseMs) });
  return { kind: 'retry', pauseMs };
}

const REASONS = {
  gone: 'contestó 410: ya no quiere recibir avisos',
  failing: 'lleva cinco días sin recibir ningún aviso',
} as const;

/** Switches a webhook off and notifies the owners, once. */
async function disable(
  trx: TenantTransaction,
  webhook: LockedWebhook,
  { reason, run }: { readonly reason: keyof typeof REASONS; readonly run: WorkflowExecutionRef },
): Promise<void> {
  if (!webhook.isActive) return;
  const { id, tenantId, url } = webhook;
  await Webhook.query(trx).findOne({ tenantId, id }).patch({ isActive: false, updatedAt: new Date() });
  await recordAudit(
    trx,
    { tenantId, userId: null, kind: 'service', requestId: null, run },
    {
      action: 'update',
      entity: 'Webhook',
      entityId: id,
      metadata: { before: { isActive: true }, after: { isActive: false }, reason },
    },
  );
  await notify(trx, await ownersAnd(trx, null), {
    type: 'webhook_disabled',
    title: 'Webhook desactivado',
    body: `${new URL(url).host} ${REASONS[reason]}. Revise el endpoint y vuelva a activarlo.`,
    metadata: { webhookId: id },
    about: newId(),
  });
}
