import { ApplicationFailure, ApplicationFailureCategory } from '@temporalio/common';
import type { ATTEMPT_OUTCOMES, WorkerMetrics } from '../adapters/metrics/metrics.ts';
import type { SecretBox } from '../adapters/crypto/secret-box.ts';
import type { OutboundAnswer, OutboundHttp } from '../adapters/outbound-http/client.ts';
import { signingSecrets } from '../adapters/outbound-http/secrets.ts';
import { signatureHeaders } from '../adapters/outbound-http/signing.ts';
import { closeAttempt } from '../db/writes/close-attempt.ts';
import { type Held, type OpenAttempt, openAttempt } from '../db/writes/webhook-attempts.ts';
import type { WithTenant } from '../db/with-tenant.ts';
import { assertNever } from '../domain/assert-never.ts';
import { attemptsOf, pauseAfter } from '../domain/delivery-schedule.ts';
import type { DeliveryStatus } from '../domain/outbound.ts';
import { utcText } from '../domain/utc-text.ts';
import type { DeliveryRef, DeliveryResult } from '../workflows/contract.ts';
import { ownRun } from './own-run.ts';

/** Milliseconds for one call, over everything (decisions, section 6: Delivery). */
const DEADLINE_MS = 10_000;

export interface DeliverDeps {
  readonly withTenant: WithTenant;
  readonly secrets: SecretBox;
  readonly outbound: OutboundHttp;
  /** Seconds before attempts 2, 3, …; the first is made at once. */
  readonly pausesS: readonly number[];
  /** Seconds between calls to an endpoint that failed again and again. */
  readonly probeS: number;
  readonly metrics?: Pick<WorkerMetrics, 'webhookAttempts' | 'webhookFirstAttempt'> | undefined;
}

export const createDeliverActivities = ({ withTenant, secrets, outbound, pausesS, probeS, metrics }: DeliverDeps) => {
  const probeMs = probeS * 1000;

  async function call(tenantId: string, attempt: OpenAttempt): Promise<DeliveryResult> {
    const { delivery, number, claimToken } = attempt;
    if (number === 1 && delivery.replay === 0) metrics?.webhookFirstAttempt.observe(secondsSinceEvent(attempt));
    const answer = await outbound.post(requestOf(attempt, secrets));
    const pauseMs = pauseAfter(number, {
      pausesS,
      retryAfter: answer.retryAfter,
      random: Math.random(),
      now: new Date(),
    });
    const closing = await withTenant(tenantId, (trx) =>
      closeAttempt(trx, { deliveryId: delivery.id, claimToken }, answer, { pauseMs, probeMs, run: ownRun() }),
    );
    metrics?.webhookAttempts.inc({ outcome: closing.kind satisfies (typeof ATTEMPT_OUTCOMES)[number] });
    switch (closing.kind) {
      case 'delivered':
      case 'exhausted':
        return { outcome: closing.kind };
      case 'gone':
        return { outcome: 'cancelled' };
      case 'again':
        throw again(
          'EndpointFailed',
          failureText(attempt, answer, attemptsOf(pausesS), closing.pauseMs),
          closing.pauseMs,
        );
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
      const opening = await withTenant(tenantId, (trx) => openAttempt(trx, deliveryId, { pausesS, probeMs }));
      switch (opening.kind) {
        case 'gone':
          return { outcome: 'cancelled' };
        case 'ended':
          return { outcome: opening.before ? 'closed' : OUTCOMES[opening.status] };
        case 'early':
          throw again('NotDue', `El siguiente intento toca el ${utcText(Date.now() + opening.waitMs)}`, opening.waitMs);
        case 'busy':
          throw again('EndpointBusy', 'Hay otros envíos en curso; este espera su turno', opening.waitMs);
        case 'held':
          throw again('EndpointDown', heldText(opening), opening.waitMs);
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

/** By PostgreSQL's clock and ours: when it happened stands in the body that is sent. */
function secondsSinceEvent({ delivery, startedAt }: OpenAttempt): number {
  // Written by eventBody().
  const { timestamp } = JSON.parse(delivery.payload) as { readonly timestamp: string };
  return Math.max(0, (startedAt.getTime() - Date.parse(timestamp)) / 1_000);
}

/** Signed here, so that secrets enter no history; with PostgreSQL's time, since a receiver refuses one that is minutes off. */
function requestOf({ webhook, delivery, number, startedAt: at }: OpenAttempt, secrets: SecretBox) {
  const { id, event, eventId, sequence, payload: body } = delivery;
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

/** What ops read with the waiting run: who did not take it, which attempt that was, and when the next one is. */
function failureText(
  { webhook, number }: OpenAttempt,
  { statusCode, errorCode }: OutboundAnswer,
  most: number,
  pauseMs: number,
): string {
  const what = statusCode === 0 ? `sin respuesta (${errorCode ?? 'unreachable'})` : `respondió ${statusCode}`;
  // The host only: a path may be a secret.
  const host = new URL(webhook.url).host;
  return `${host}: ${what} en el intento ${number} de ${most}; el siguiente, el ${utcText(Date.now() + pauseMs)}`;
}

/** What ops read with a run that waits for its endpoint to be back. */
const heldText = ({ webhook, waitMs }: Held): string =>
  `${new URL(webhook.url).host} ha fallado ${webhook.failuresInRow} veces seguidas: se prueba de vez en cuando. ` +
  `Este envío espera, sin gastar intentos, hasta el ${utcText(Date.now() + waitMs)}`;
