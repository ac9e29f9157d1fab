import { afterFailure, HEALTHY } from '../../domain/endpoint-breaker.ts';
import { isSuccess } from '../../domain/outbound.ts';
import type { RunName } from '../../domain/run-name.ts';
import { Webhook } from '../models/webhook.ts';
import { newId } from '../ids.ts';
import { databaseTime } from '../reads/database-time.ts';
import type { TenantTransaction } from '../with-tenant.ts';
import { changeHealth } from './endpoint-turns.ts';
import { leaveBatch } from './leave-batch.ts';
import { notify, ownersAnd } from './notify.ts';
import { recordAudit } from './record-audit.ts';
import { type Answer, endDelivery, finishAttempt, lockDelivery, postponeDelivery } from './webhook-attempts.ts';

/** Without a success for so long, a webhook is switched off (decisions, section 6). */
const PATIENCE_MS = 5 * 24 * 60 * 60 * 1000;
/** The endpoint says that it wants no more. */
const GONE = 410;

/** What follows an attempt. */
export type Closing =
  | { readonly kind: 'delivered' | 'exhausted' }
  | { readonly kind: 'again'; readonly pauseMs: number }
  /** The webhook was deleted meanwhile. */
  | { readonly kind: 'gone' }
  /** Another attempt has taken over. */
  | { readonly kind: 'late' };

export interface ClosingOptions {
  /** Until the next attempt; undefined when this was the last. */
  readonly pauseMs: number | undefined;
  readonly probeMs: number;
  /** Of the batch that made the attempt: what is to be tried again leaves it. */
  readonly batchId?: string | undefined;
  /** The run that made the attempt, for the audit entry of what follows. */
  readonly run: RunName;
}

/**
 * Writes down how an attempt went and what follows: delivered, another attempt after `pauseMs`, or the end when that is
 * undefined. A 410, and a failure five days after the first since the last success, switch the webhook off; before
 * that, failures in a row leave its endpoint alone but for probes.
 */
export async function closeAttempt(
  trx: TenantTransaction,
  attempt: { readonly deliveryId: string; readonly claimToken: string },
  answer: Answer,
  { pauseMs, probeMs, batchId, run }: ClosingOptions,
): Promise<Closing> {
  const { deliveryId } = attempt;
  const locked = await lockDelivery(trx, deliveryId);
  if (!locked) return { kind: 'gone' };
  const now = await databaseTime(trx);
  if (!(await finishAttempt(trx, attempt, answer, now))) return { kind: 'late' };
  const { webhook } = locked;

  if (isSuccess(answer.statusCode)) {
    await endDelivery(trx, deliveryId, { status: 'DELIVERED', at: now, answer });
    // Not after every success: that would take the turns from those who wait for an endpoint that is only busy.
    if (webhook.failingSince || webhook.failuresInRow > 0) await changeHealth(trx, webhook, HEALTHY);
    return { kind: 'delivered' };
  }
  await changeHealth(trx, webhook, afterFailure(webhook, now, probeMs));
  const failingSince = webhook.failingSince ?? now;
  const wantsNoMore = answer.statusCode === GONE;
  const tooLong = now.getTime() - failingSince.getTime() >= PATIENCE_MS;
  if (wantsNoMore || tooLong) await disable(trx, webhook, { reason: wantsNoMore ? 'gone' : 'failing', run });
  if (wantsNoMore || tooLong || pauseMs === undefined) {
    await endDelivery(trx, deliveryId, { status: 'EXHAUSTED', at: now, answer });
    return { kind: 'exhausted' };
  }
  await postponeDelivery(trx, deliveryId, { dueAt: new Date(now.getTime() + pauseMs), answer });
  if (batchId !== undefined) await leaveBatch(trx, batchId, [deliveryId]);
  return { kind: 'again', pauseMs };
}

const REASONS = {
  gone: 'contestó 410: ya no quiere recibir avisos',
  failing: 'lleva cinco días sin recibir ningún aviso',
} as const;

/** Switches a webhook off and tells the owners, once: one that is off already stays as it is. */
async function disable(
  trx: TenantTransaction,
  webhook: Webhook,
  { reason, run }: { readonly reason: keyof typeof REASONS; readonly run: RunName },
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
