import { ApplicationFailure, ApplicationFailureCategory } from '@temporalio/common';
import type { SecretBox } from '../../adapters/crypto/secret-box.ts';
import type { Log } from '../../adapters/log.ts';
import type { ATTEMPT_OUTCOMES, WorkerMetrics } from '../../adapters/metrics/metrics.ts';
import type { OutboundAnswer, OutboundHttp } from '../../adapters/outbound-http/client.ts';
import { signatureHeaders, signingSecrets } from '../../adapters/outbound-http/signing.ts';
import {
  type AttemptInProgress,
  beginAttempt,
  beginInOneRoundTrip,
  type CircuitOpen,
} from '../../db/webhooks/begin-attempt.ts';
import { type AttemptResult, recordFailure, recordSuccess } from '../../db/webhooks/record-attempt-result.ts';
import type { WithPipeline } from '../../db/pipeline.ts';
import type { WithTenant } from '../../db/with-tenant.ts';
import { assertNever } from '../../domain/assert-never.ts';
import { attemptsOf, pauseAfter } from '../../domain/delivery-schedule.ts';
import { type DeliveryStatus, isSuccess } from '../../domain/http-delivery.ts';
import { utcText } from '../../domain/utc-text.ts';
import type { DeliveryRef, DeliveryResult } from '../../workflows/contract.ts';
import { currentExecution } from '../current-execution.ts';
import { type ActivityPermits, withPermit } from '../permits.ts';
import { MAX_PAUSE_MS } from '../throttled.ts';

export interface DeliverDeps {
  readonly withTenant: WithTenant;
  /** For the usual attempt, which begins and succeeds. */
  readonly withPipeline: WithPipeline;
  readonly secrets: SecretBox;
  readonly outbound: OutboundHttp;
  readonly permits: Pick<ActivityPermits, 'deliveries'>;
  /** Seconds before attempts 2, 3, …; the first is made at once. */
  readonly pausesS: readonly number[];
  /** Seconds between calls to an endpoint whose circuit is open. */
  readonly probeS: number;
  readonly log: Log;
  readonly metrics?: Pick<WorkerMetrics, 'webhookAttempts' | 'webhookFirstAttempt'> | undefined;
  /** Has this process's dispatcher poll for throttled deliveries. */
  readonly wakeDispatcher: () => void;
}

export const createDeliverActivities = (deps: DeliverDeps) => {
  const { withTenant, withPipeline, log, metrics, pausesS, wakeDispatcher } = deps;
  const probeMs = deps.probeS * 1000;

  /** Calls the endpoint and records how that went and what follows. */
  async function call(tenantId: string, attempt: AttemptInProgress): Promise<DeliveryResult> {
    const { delivery, number, claimToken } = attempt;
    if (number === 1 && delivery.replay === 0) metrics?.webhookFirstAttempt.observe(secondsSinceEvent(attempt));
    const response = await deps.outbound.post(endpointRequest(attempt, deps.secrets));
    const { retryAfter } = response;
    const pauseMs = pauseAfter(number, { pausesS, retryAfter, random: Math.random(), now: new Date() });
    const ref = { deliveryId: delivery.id, claimToken };
    const { result, freesSlot } = isSuccess(response.statusCode)
      ? await withPipeline(tenantId, (tx) => recordSuccess(tx, ref, response))
      : await withTenant(tenantId, (trx) =>
          recordFailure(trx, ref, response, { pauseMs, probeMs, run: currentExecution() }),
        );
    if (freesSlot) wakeDispatcher();
    logAttempt(log, attempt, { response, result });
    metrics?.webhookAttempts.inc({ outcome: result.kind satisfies (typeof ATTEMPT_OUTCOMES)[number] });
    switch (result.kind) {
      case 'delivered':
      case 'exhausted':
        return { outcome: result.kind };
      case 'webhook_deleted':
        return { outcome: 'cancelled' };
      case 'retry':
        throw retry(
          'EndpointFailed',
          failureText(attempt, response, attemptsOf(pausesS), result.pauseMs),
          result.pauseMs,
        );
      case 'superseded':
        throw superseded();
      default:
        return assertNever(result);
    }
  }

  async function attempt({ tenantId, deliveryId }: DeliveryRef): Promise<DeliveryResult> {
    const begun = await withPipeline(tenantId, (tx) => beginInOneRoundTrip(tx, deliveryId));
    if (begun) return call(tenantId, begun);
    const decision = await withTenant(tenantId, (trx) => beginAttempt(trx, deliveryId, { pausesS, probeMs }));
    switch (decision.kind) {
      case 'begin':
        return call(tenantId, decision.attempt);
      case 'ended':
        if (decision.before) return { outcome: 'closed' };
        log.info({ deliveryId }, `webhook delivery ${decision.status.toLowerCase()}`);
        wakeDispatcher();
        return { outcome: OUTCOMES[decision.status] };
      case 'webhook_deleted':
        return { outcome: 'cancelled' };
      case 'not_due':
        throw retry('NotDue', `El siguiente intento toca el ${utcText(Date.now() + decision.waitMs)}`, decision.waitMs);
      case 'throttled':
        throw retry('EndpointBusy', 'Hay otros envíos en curso; este espera su turno', decision.waitMs);
      case 'circuit_open':
        throw retry('EndpointDown', circuitOpenText(decision), decision.waitMs);
      case 'superseded':
        throw superseded();
      default:
        return assertNever(decision);
    }
  }

  return {
    /**
     * One attempt of a delivery. Returns how the delivery ended; while it has not, throws a failure that says when to
     * try again: all attempts are retries of one activity, and the wait between them holds no slot.
     */
    deliver: (delivery: DeliveryRef): Promise<DeliveryResult> =>
      withPermit(
        { queue: deps.permits.deliveries, tenantId: delivery.tenantId, maxPauseMs: MAX_PAUSE_MS.whileSomebodyWaits },
        () => attempt(delivery),
      ),
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

/** An expected failure: Temporal shows it with the execution, waits that long and retries. */
const retry = (type: string, message: string, afterMs: number): ApplicationFailure =>
  ApplicationFailure.create({
    type,
    message,
    nextRetryDelay: Math.max(1, Math.round(afterMs)),
    category: ApplicationFailureCategory.BENIGN,
  });

const superseded = (): ApplicationFailure => retry('AttemptLate', 'Otro intento tomó el lugar de este', 1_000);

/** What operators read with the waiting execution: the host, which attempt failed, and when the next one is. */
function failureText(
  { webhook, number }: AttemptInProgress,
  { statusCode, errorCode }: OutboundAnswer,
  maxAttempts: number,
  pauseMs: number,
): string {
  const what = statusCode === 0 ? `sin respuesta (${errorCode ?? 'unreachable'})` : `respondió ${statusCode}`;
  // The host only: a path may be a secret.
  const host = new URL(webhook.url).host;
  return `${host}: ${what} en el intento ${number} de ${maxAttempts}; el siguiente, el ${utcText(Date.now() + pauseMs)}`;
}

/** What operators read with an execution that waits for the circuit of its endpoint to close. */
const circuitOpenText = ({ webhook, waitMs }: CircuitOpen): string =>
  `${new URL(webhook.url).host} ha fallado ${webhook.consecutiveFailures} veces seguidas: se prueba de vez en cuando. ` +
  `Este envío espera, sin gastar intentos, hasta el ${utcText(Date.now() + waitMs)}`;

/** Milliseconds for one call, over everything. */
const DEADLINE_MS = 10_000;

/** Signed here, so that secrets enter no history; with PostgreSQL's time, since a receiver refuses one that is minutes off. */
function endpointRequest({ webhook, delivery, number, startedAt: at }: AttemptInProgress, secrets: SecretBox) {
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

/** From the event to the attempt. When it happened stands in the body that is sent. */
function secondsSinceEvent({ delivery, startedAt }: AttemptInProgress): number {
  // Written by eventBody().
  const { timestamp } = JSON.parse(delivery.payload) as { readonly timestamp: string };
  return Math.max(0, (startedAt.getTime() - Date.parse(timestamp)) / 1_000);
}

const SENTENCES: Readonly<Record<AttemptResult['kind'], string>> = {
  delivered: 'webhook delivered',
  retry: 'webhook attempt failed',
  exhausted: 'webhook delivery given up',
  webhook_deleted: 'webhook deleted while it was called',
  superseded: 'webhook attempt superseded: another took its place',
};

/** One line for each attempt at a delivery: how it ended, and when the next one is. Neither address nor response body. */
function logAttempt(
  log: Log,
  { delivery, webhook, number }: AttemptInProgress,
  { response, result }: { readonly response: OutboundAnswer; readonly result: AttemptResult },
): void {
  const { statusCode, errorCode, durationMs } = response;
  const members = {
    deliveryId: delivery.id,
    webhookId: webhook.id,
    event: delivery.event,
    eventId: delivery.eventId,
    ...quoteOf(delivery.payload),
    number,
    statusCode,
    errorCode: errorCode ?? undefined,
    durationMs,
    nextInMs: result.kind === 'retry' ? Math.round(result.pauseMs) : undefined,
  };
  log[result.kind === 'delivered' ? 'info' : 'warn'](members, SENTENCES[result.kind]);
}

function quoteOf(payload: string): {
  readonly quoteId?: string | undefined;
  readonly quoteNumber?: number | undefined;
} {
  // Written by eventBody(): events of a quote carry it.
  const { data } = JSON.parse(payload) as { data?: { quote?: { id?: string; quoteNumber?: number } } };
  return { quoteId: data?.quote?.id, quoteNumber: data?.quote?.quoteNumber };
}
