import type { Log } from '../adapters/log.ts';
import type { ATTEMPT_OUTCOMES, WorkerMetrics } from '../adapters/metrics/metrics.ts';
import type { SecretBox } from '../adapters/crypto/secret-box.ts';
import type { OutboundAnswer, OutboundHttp } from '../adapters/outbound-http/client.ts';
import { signingSecrets } from '../adapters/outbound-http/secrets.ts';
import { signatureHeaders } from '../adapters/outbound-http/signing.ts';
import { closeAttempt, type Closing } from '../db/writes/close-attempt.ts';
import { leaveBatch } from '../db/writes/leave-batch.ts';
import { type OpenAttempt, openAttempt, type Opening } from '../db/writes/open-attempt.ts';
import type { WithTenant } from '../db/with-tenant.ts';
import { pauseAfter } from '../domain/delivery-schedule.ts';
import type { DeliveryRef } from '../workflows/contract.ts';
import { logAttempt } from './delivery-outcomes.ts';
import { currentExecution } from './current-execution.ts';

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
  readonly log: Log;
  readonly metrics?: Pick<WorkerMetrics, 'webhookAttempts' | 'webhookFirstAttempt'> | undefined;
}

/** An attempt of a delivery, whoever makes it: a run of its own, or a batch of first attempts. */
export interface DeliveryAttempts {
  /** Opens the next attempt, or says why there is none now. */
  open(delivery: DeliveryRef, batchId?: string): Promise<Opening>;
  /** Calls the endpoint and writes down how that went and what follows. */
  make(
    tenantId: string,
    attempt: OpenAttempt,
    batchId?: string,
  ): Promise<{ readonly answer: OutboundAnswer; readonly closing: Closing }>;
}

export function createDeliveryAttempts({
  withTenant,
  secrets,
  outbound,
  pausesS,
  probeS,
  log,
  metrics,
}: DeliverDeps): DeliveryAttempts {
  const probeMs = probeS * 1000;
  return {
    async open({ tenantId, deliveryId }, batchId) {
      const opening = await withTenant(tenantId, (trx) => openAttempt(trx, deliveryId, { pausesS, probeMs, batchId }));
      if (opening.kind === 'alone' && batchId !== undefined) {
        await withTenant(tenantId, (trx) => leaveBatch(trx, batchId, [deliveryId]));
      }
      if (opening.kind === 'ended' && !opening.before) {
        log.info({ deliveryId }, `webhook delivery ${opening.status.toLowerCase()}`);
      }
      return opening;
    },

    async make(tenantId, attempt, batchId) {
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
        closeAttempt(trx, { deliveryId: delivery.id, claimToken }, answer, {
          pauseMs,
          probeMs,
          batchId,
          run: currentExecution(),
        }),
      );
      logAttempt(log, attempt, { answer, closing });
      metrics?.webhookAttempts.inc({ outcome: closing.kind satisfies (typeof ATTEMPT_OUTCOMES)[number] });
      return { answer, closing };
    },
  };
}

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
