import { Buffer } from 'node:buffer';
import { createHmac, timingSafeEqual } from 'node:crypto';
import type { WebhookEvent } from './schema.d.ts';

/** Default tolerance for `webhook-timestamp`, in both directions. */
const TOLERANCE_SECONDS = 300;

/** The delivery is not authentic. */
export class WebhookError extends Error {
  override readonly name = 'WebhookError';
}

/** A received request. */
export interface SignedRequest {
  /** `whsec_…`, from the creation of the webhook or the last rotation. */
  readonly secret: string;
  /** Headers of `fetch`, or of Node with lower-case names. */
  readonly headers: Headers | Readonly<Record<string, string | readonly string[] | undefined>>;
  /** The received bytes. Parsing and serializing the JSON again could change them. */
  readonly body: string | Uint8Array;
  readonly toleranceSeconds?: number;
}

/** A verified event; its `event` tells what `data` is. */
export type ReceivedEvent = WebhookEvent & {
  /** `webhook-id`: the same in all attempts and replays, for deduplication. */
  readonly id: string;
};

/** The event of that name. */
export type EventOf<E extends WebhookEvent['event']> = Extract<ReceivedEvent, { event: E }>;

/** Verifies `webhook-signature` (Standard Webhooks) and returns the event. Throws a WebhookError. */
export function verifyWebhook({
  secret,
  headers,
  body,
  toleranceSeconds = TOLERANCE_SECONDS,
}: SignedRequest): ReceivedEvent {
  const id = header(headers, 'webhook-id');
  const timestamp = header(headers, 'webhook-timestamp');
  const signatures = header(headers, 'webhook-signature');
  const age = Math.abs(Date.now() / 1000 - Number(timestamp));
  if (!/^\d+$/.test(timestamp) || age > toleranceSeconds) throw new WebhookError('webhook-timestamp is out of range');

  const bytes = Buffer.from(body);
  const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64');
  // Anybody can sign with an empty key.
  if (key.length === 0) throw new WebhookError('secret is empty');
  const expected = createHmac('sha256', key).update(`${id}.${timestamp}.`).update(bytes).digest('base64');
  // For a day after a rotation there are two signatures, one per valid secret.
  if (!signatures.split(' ').some((signature) => isEqual(signature, `v1,${expected}`))) {
    throw new WebhookError('webhook-signature does not fit');
  }
  // The signature proves that the service wrote it.
  return { ...JSON.parse(bytes.toString('utf8')), id } as ReceivedEvent;
}

/**
 * Verifies `X-Service-Signature`, which covers only the body. It has no time and no id, so it does not prevent replay
 * attacks. False for an empty secret.
 */
export const verifyServiceSignature = (secret: string, body: string | Uint8Array, signature: string): boolean =>
  secret !== '' && isEqual(signature, createHmac('sha256', secret).update(Buffer.from(body)).digest('hex'));

function header(headers: SignedRequest['headers'], name: string): string {
  const value = headers instanceof Headers ? headers.get(name) : headers[name];
  if (typeof value !== 'string') throw new WebhookError(`${name} is missing`);
  return value;
}

/** Compares in constant time, which prevents timing attacks. */
function isEqual(given: string, expected: string): boolean {
  const [a, b] = [Buffer.from(given), Buffer.from(expected)];
  return a.length === b.length && timingSafeEqual(a, b);
}
