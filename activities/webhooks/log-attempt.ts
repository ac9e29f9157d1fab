import type { Log } from '../../adapters/log.ts';
import type { OutboundAnswer } from '../../adapters/outbound-http/client.ts';
import type { AttemptInProgress } from '../../db/webhooks/begin-attempt.ts';
import type { AttemptResult } from '../../db/webhooks/record-attempt-result.ts';

const SENTENCES: Readonly<Record<AttemptResult['kind'], string>> = {
  delivered: 'webhook delivered',
  retry: 'webhook attempt failed',
  exhausted: 'webhook delivery given up',
  webhook_deleted: 'webhook deleted while it was called',
  superseded: 'webhook attempt superseded: another took its place',
};

/** One line for each attempt at a delivery: how it ended, and when the next one is. Neither address nor response body. */
export function logAttempt(
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
