import { activityInfo } from '@temporalio/activity';
import { ApplicationFailure, ApplicationFailureCategory } from '@temporalio/common';
import type { SecretBox } from '../adapters/crypto/secret-box.ts';
import type { OutboundAnswer, OutboundHttp } from '../adapters/outbound-http/client.ts';
import { signingSecrets } from '../adapters/outbound-http/secrets.ts';
import { signatureHeaders } from '../adapters/outbound-http/signing.ts';
import { closeAttempt } from '../db/writes/close-attempt.ts';
import { type OpenAttempt, openAttempt } from '../db/writes/webhook-attempts.ts';
import type { WithTenant } from '../db/with-tenant.ts';
import { assertNever } from '../domain/assert-never.ts';
import { attemptsOf, pauseAfter } from '../domain/delivery-schedule.ts';
import type { DeliveryStatus } from '../domain/outbound.ts';
import type { DeliveryRef, DeliveryResult } from '../workflows/contract.ts';

/** Milliseconds for one call, over everything (decisions, section 6: Delivery). */
const DEADLINE_MS = 10_000;
/** Seconds until a busy endpoint is asked for again: a little longer each time, for many may be waiting. */
const BUSY_S = { first: 1, most: 15 } as const;

export interface DeliverDeps {
  readonly withTenant: WithTenant;
  readonly secrets: SecretBox;
  readonly outbound: OutboundHttp;
  /** Seconds before attempts 2, 3, …; the first is made at once. */
  readonly pausesS: readonly number[];
}

export const createDeliverActivities = ({ withTenant, secrets, outbound, pausesS }: DeliverDeps) => {
  async function call(tenantId: string, attempt: OpenAttempt): Promise<DeliveryResult> {
    const { delivery, number, claimToken } = attempt;
    const answer = await outbound.post(requestOf(attempt, secrets));
    const pauseMs = pauseAfter(number, {
      pausesS,
      retryAfter: answer.retryAfter,
      random: Math.random(),
      now: new Date(),
    });
    const closing = await withTenant(tenantId, (trx) =>
      closeAttempt(trx, { deliveryId: delivery.id, claimToken }, answer, pauseMs),
    );
    switch (closing.kind) {
      case 'delivered':
      case 'exhausted':
        return { outcome: closing.kind };
      case 'gone':
        return { outcome: 'cancelled' };
      case 'again':
        throw again('EndpointFailed', failureText(answer, number, attemptsOf(pausesS)), closing.pauseMs);
      case 'late':
        throw again('AttemptLate', 'Otro intento tomó el lugar de este', 1_000);
      default:
        return assertNever(closing);
    }
  }

  return {
    /**
     * One attempt of a delivery. Returns how the delivery ended; while it has not, throws a failure that says when to
     * try again: all attempts are retries of one activity, and the wait between them holds no slot.
     */
    async deliver({ tenantId, deliveryId }: DeliveryRef): Promise<DeliveryResult> {
      const opening = await withTenant(tenantId, (trx) => openAttempt(trx, deliveryId));
      switch (opening.kind) {
        case 'gone':
          return { outcome: 'cancelled' };
        case 'ended':
          return { outcome: opening.before ? 'closed' : OUTCOMES[opening.status] };
        case 'early':
          throw again('NotDue', 'El siguiente intento aún no toca', opening.waitMs);
        case 'busy':
          throw again('EndpointBusy', 'El endpoint está ocupado con otros envíos', busyMs(opening.ended));
        case 'open':
          return call(tenantId, opening.attempt);
        default:
          return assertNever(opening);
      }
    },
  };
};
export type DeliverActivities = ReturnType<typeof createDeliverActivities>;

const OUTCOMES = {
  PENDING: 'closed',
  DELIVERED: 'delivered',
  EXHAUSTED: 'exhausted',
  SKIPPED: 'skipped',
  CANCELLED: 'cancelled',
} as const satisfies Record<DeliveryStatus, DeliveryResult['outcome']>;

/** Signed here, so that secrets enter no history. */
function requestOf({ webhook, delivery, number }: OpenAttempt, secrets: SecretBox) {
  const { id, event, eventId, sequence, payload: body } = delivery;
  const at = new Date();
  return {
    url: webhook.url,
    body,
    headers: {
      'Content-Type': 'application/json; charset=utf-8',
      'X-Service-Event': event,
      'X-Service-Delivery': id,
      'X-Service-Attempt': String(number),
      ...(sequence === null ? {} : { 'X-Service-Sequence': sequence }),
      ...signatureHeaders({ secrets: signingSecrets(secrets, webhook, at), eventId, at, body }),
    },
    deadlineMs: DEADLINE_MS,
  };
}

/** An expected failure: Temporal shows it with the run, waits that long and tries again. */
const again = (type: string, message: string, afterMs: number): ApplicationFailure =>
  ApplicationFailure.create({
    type,
    message,
    nextRetryDelay: Math.max(1, Math.round(afterMs)),
    category: ApplicationFailureCategory.BENIGN,
  });

const failureText = ({ statusCode, errorCode }: OutboundAnswer, number: number, most: number): string =>
  `${statusCode === 0 ? `Sin respuesta (${errorCode ?? 'unreachable'})` : `Respondió ${statusCode}`} en el intento ${number} de ${most}`;

/** What is left of Temporal's count of tries, once the attempts that ended are taken off, found the endpoint busy. */
function busyMs(ended: number): number {
  const before = Math.max(0, activityInfo().attempt - 1 - ended);
  const seconds = Math.min(BUSY_S.most, BUSY_S.first + before / 2);
  return seconds * 1000 * (0.8 + 0.4 * Math.random());
}
