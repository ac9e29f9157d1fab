import { ApplicationFailure, ApplicationFailureCategory } from '@temporalio/common';
import type { OutboundAnswer } from '../adapters/outbound-http/client.ts';
import type { Held, OpenAttempt } from '../db/writes/open-attempt.ts';
import { assertNever } from '../domain/assert-never.ts';
import { attemptsOf } from '../domain/delivery-schedule.ts';
import type { DeliveryStatus } from '../domain/http-delivery.ts';
import { utcText } from '../domain/utc-text.ts';
import type { DeliveryRef, DeliveryResult } from '../workflows/contract.ts';
import { createDeliveryAttempts, type DeliverDeps } from './delivery-attempts.ts';

export const createDeliverActivities = (deps: DeliverDeps) => {
  const attempts = createDeliveryAttempts(deps);

  async function call(tenantId: string, attempt: OpenAttempt): Promise<DeliveryResult> {
    const { answer, closing } = await attempts.make(tenantId, attempt);
    switch (closing.kind) {
      case 'delivered':
      case 'exhausted':
        return { outcome: closing.kind };
      case 'gone':
        return { outcome: 'cancelled' };
      case 'again':
        throw again(
          'EndpointFailed',
          failureText(attempt, answer, attemptsOf(deps.pausesS), closing.pauseMs),
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
      const opening = await attempts.open({ tenantId, deliveryId });
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
        case 'alone':
          // Said to batches only.
          throw again('EndpointBusy', 'Otra ejecución lleva este envío', 1_000);
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
