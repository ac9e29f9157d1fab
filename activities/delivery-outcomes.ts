import type { Log } from '../adapters/log.ts';
import type { OutboundAnswer } from '../adapters/outbound-http/client.ts';
import type { Closing } from '../db/writes/close-attempt.ts';
import type { OpenAttempt } from '../db/writes/open-attempt.ts';

const SENTENCES: Readonly<Record<Closing['kind'], string>> = {
  delivered: 'webhook delivered',
  again: 'webhook attempt failed',
  exhausted: 'webhook delivery given up',
  gone: 'webhook deleted while it was called',
  late: 'webhook attempt came late: another took its place',
};

/** One line for each attempt at a delivery: how it ended, and when the next one is. Neither address nor answer. */
export function logAttempt(
  log: Log,
  { delivery, webhook, number }: OpenAttempt,
  { answer, closing }: { readonly answer: OutboundAnswer; readonly closing: Closing },
): void {
  const { statusCode, errorCode, durationMs } = answer;
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
    nextInMs: closing.kind === 'again' ? Math.round(closing.pauseMs) : undefined,
  };
  log[closing.kind === 'delivered' ? 'info' : 'warn'](members, SENTENCES[closing.kind]);
}

function quoteOf(payload: string): {
  readonly quoteId?: string | undefined;
  readonly quoteNumber?: number | undefined;
} {
  // Written by eventBody(): events of a quote carry it.
  const { data } = JSON.parse(payload) as { data?: { quote?: { id?: string; quoteNumber?: number } } };
  return { quoteId: data?.quote?.id, quoteNumber: data?.quote?.quoteNumber };
}
