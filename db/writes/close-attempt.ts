import { afterFailure } from '../../domain/endpoint-breaker.ts';
import { type DeliveryStatus, isSuccess, type NoAnswer } from '../../domain/outbound.ts';
import type { WorkflowExecutionRef } from '../../domain/workflow-execution-ref.ts';
import { type NamedStatement, type RowsOfEach, send } from '../pipeline.ts';
import { newId } from '../ids.ts';
import { Webhook } from '../models/webhook.ts';
import { WebhookDelivery } from '../models/webhook-delivery.ts';
import { tenantOf, type TenantTransaction } from '../with-tenant.ts';
import { changeHealth } from './endpoint-turns.ts';
import { leaveBatch } from './leave-batch.ts';
import { type LockedWebhook, lockDelivery, lockedRows } from './lock-delivery.ts';
import { notify, ownersAnd } from './notify.ts';
import { recordAudit } from './record-audit.ts';

/** Without a success for so long, a webhook is switched off (decisions, section 6). */
const PATIENCE_MS = 5 * 24 * 60 * 60 * 1000;
/** The endpoint says that it wants no more. */
const GONE = 410;

/** How a call went. */
export interface Answer {
  /** 0 = no answer. */
  readonly statusCode: number;
  readonly errorCode: NoAnswer | null;
  readonly body: string;
  readonly durationMs: number;
}

/** What follows an attempt. */
export type Closing =
  | { readonly kind: 'delivered' | 'exhausted' }
  | { readonly kind: 'again'; readonly pauseMs: number }
  /** The webhook was deleted meanwhile. */
  | { readonly kind: 'gone' }
  /** Another attempt has taken over. */
  | { readonly kind: 'late' };

/** An attempt by the token that it began with. */
export interface AttemptRef {
  readonly deliveryId: string;
  readonly claimToken: string;
}

export interface ClosingOptions {
  /** Until the next attempt; undefined when this was the last. */
  readonly pauseMs: number | undefined;
  readonly probeMs: number;
  /** Of the batch that made the attempt: what is to be tried again leaves it. */
  readonly batchId?: string | undefined;
  /** The run that made the attempt, for the audit entry of what follows. */
  readonly run: WorkflowExecutionRef;
}

/**
 * Writes down how an attempt went and what follows: delivered, another attempt after `pauseMs`, or the end when that is
 * undefined. A 410, and a failure five days after the first since the last success, switch the webhook off; before
 * that, failures in a row leave its endpoint alone but for probes.
 */
export async function closeAttempt(
  trx: TenantTransaction,
  attempt: AttemptRef,
  answer: Answer,
  { pauseMs, probeMs, batchId, run }: ClosingOptions,
): Promise<Closing> {
  const { deliveryId } = attempt;
  const tenantId = tenantOf(trx);
  const lock = lockDelivery(tenantId, deliveryId);
  if (isSuccess(answer.statusCode)) {
    const done = await send(trx, [...lock, ...delivered(tenantId, attempt, answer)]);
    if (!lockedRows(done)) return { kind: 'gone' };
    return { kind: endOf(done) ? 'delivered' : 'late' };
  }
  const done = await send(trx, [...lock, finished(tenantId, attempt, answer)]);
  const locked = lockedRows(done);
  if (!locked) return { kind: 'gone' };
  const now = endOf(done);
  if (!now) return { kind: 'late' };
  const { webhook } = locked;
  await changeHealth(trx, webhook, afterFailure(webhook, now, probeMs));
  const failingSince = webhook.failingSince ?? now;
  const wantsNoMore = answer.statusCode === GONE;
  const tooLong = now.getTime() - failingSince.getTime() >= PATIENCE_MS;
  if (wantsNoMore || tooLong) await disable(trx, webhook, { reason: wantsNoMore ? 'gone' : 'failing', run });
  if (wantsNoMore || tooLong || pauseMs === undefined) {
    await endDelivery(trx, deliveryId, { status: 'EXHAUSTED', at: now, answer });
    return { kind: 'exhausted' };
  }
  const dueAt = new Date(now.getTime() + pauseMs);
  await WebhookDelivery.query(trx)
    .findOne({ tenantId, id: deliveryId })
    .patch({ ...answered(answer), dueAt });
  if (batchId !== undefined) await leaveBatch(trx, batchId, [deliveryId]);
  return { kind: 'again', pauseMs };
}

/** Ends the attempt with that token, unless another has taken over: what came late counts for nothing. `endOf` reads when. */
const finished = (tenantId: string, { deliveryId, claimToken }: AttemptRef, answer: Answer): NamedStatement => ({
  name: 'finish-attempt',
  text: `${FINISH} returning finished_at as now`,
  values: [tenantId, deliveryId, claimToken, ...answerValues(answer)],
});

/** The same for one that was taken, with the end of its delivery, and its endpoint is well again. */
const delivered = (
  tenantId: string,
  { deliveryId, claimToken }: AttemptRef,
  answer: Answer,
): readonly NamedStatement[] => [
  {
    name: 'finish-delivered',
    text: `with finished as (${FINISH} returning finished_at)
      update webhook_deliveries d
         set status = 'DELIVERED', status_code = $4, error_code = $5, response_body = $6, due_at = null,
             completed_at = f.finished_at, delivered_at = f.finished_at
        from finished f where d.tenant_id = $1 and d.id = $2
      returning f.finished_at as now`,
    values: [tenantId, deliveryId, claimToken, ...answerValues(answer)],
  },
  {
    // Not after every success: that would take the turns from those who wait for an endpoint that is only busy.
    name: 'endpoint-recovered',
    text: `update webhooks w set failures_in_row = 0, failing_since = null, probe_at = null, turn_at = null
        from webhook_deliveries d join webhook_attempts a on a.tenant_id = d.tenant_id and a.delivery_id = d.id
       where d.tenant_id = $1 and d.id = $2 and a.claim_token = $3 and a.finished_at is not null
         and w.tenant_id = d.tenant_id and w.id = d.webhook_id and (w.failures_in_row > 0 or w.failing_since is not null)`,
    values: [tenantId, deliveryId, claimToken],
  },
];

const FINISH = `update webhook_attempts
    set status_code = $4, error_code = $5, response_body = $6, duration_ms = $7, finished_at = clock_timestamp()
  where tenant_id = $1 and delivery_id = $2 and claim_token = $3 and finished_at is null`;

const answerValues = ({ statusCode, errorCode, body, durationMs }: Answer) => [statusCode, errorCode, body, durationMs];

/** When the attempt ended, by PostgreSQL's clock; undefined when another had taken over. */
function endOf([, , rows]: RowsOfEach): Date | undefined {
  // The column is that of the statements above.
  const [row] = rows as { now: Date }[];
  return row?.now;
}

/** No attempt follows; `answer` is that of the last. */
export async function endDelivery(
  trx: TenantTransaction,
  deliveryId: string,
  { status, at, answer }: { status: Exclude<DeliveryStatus, 'PENDING' | 'DELIVERED'>; at: Date; answer?: Answer },
): Promise<void> {
  await WebhookDelivery.query(trx)
    .findOne({ tenantId: tenantOf(trx), id: deliveryId })
    .patch({ ...answered(answer), status, completedAt: at, dueAt: null });
}

/** What a delivery shows of its newest attempt. */
const answered = (answer: Answer | undefined) =>
  answer && { statusCode: answer.statusCode, responseBody: answer.body, errorCode: answer.errorCode };

const REASONS = {
  gone: 'contestó 410: ya no quiere recibir avisos',
  failing: 'lleva cinco días sin recibir ningún aviso',
} as const;

/** Switches a webhook off and tells the owners, once: one that is off already stays as it is. */
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
