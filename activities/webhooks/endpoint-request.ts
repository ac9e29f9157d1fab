import type { SecretBox } from '../../adapters/crypto/secret-box.ts';
import { signingSecrets } from '../../adapters/outbound-http/signing.ts';
import { signatureHeaders } from '../../adapters/outbound-http/signing.ts';
import type { AttemptInProgress } from '../../db/webhooks/begin-attempt.ts';

/** Milliseconds for one call, over everything. */
const DEADLINE_MS = 10_000;

/** Signed here, so that secrets enter no history; with PostgreSQL's time, since a receiver refuses one that is minutes off. */
export function endpointRequest({ webhook, delivery, number, startedAt: at }: AttemptInProgress, secrets: SecretBox) {
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
export function secondsSinceEvent({ delivery, startedAt }: AttemptInProgress): number {
  // Written by eventBody().
  const { timestamp } = JSON.parse(delivery.payload) as { readonly timestamp: string };
  return Math.max(0, (startedAt.getTime() - Date.parse(timestamp)) / 1_000);
}
