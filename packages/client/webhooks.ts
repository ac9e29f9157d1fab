import { createHmac, timingSafeEqual } from 'node:crypto';

/** How old a delivery may be, and how far ahead of our clock, unless told otherwise. */
const TOLERANCE_SECONDS = 300;

/** A delivery that must not be believed. */
export class WebhookError extends Error {
  override readonly name = 'WebhookError';
}

export interface Delivery {
  /** `whsec_…`, returned by the webhook's creation or last rotation. */
  readonly secret: string;
  /** Headers of the request: those of `fetch`, or Node's record with lower-case names. */
  readonly headers: Headers | Readonly<Record<string, string | readonly string[] | undefined>>;
  /** The raw bytes: parsing and serialising JSON would change them. */
  readonly body: string | Uint8Array;
  readonly toleranceSeconds?: number;
}

export interface WebhookEvent {
  /** `webhook-id`: the same in each attempt and replay. Who has seen it has handled it. */
  readonly id: string;
  /** `quote.created`, … */
  readonly event: string;
  /** When it happened, ISO 8601. */
  readonly timestamp: string;
  readonly data: Readonly<Record<string, unknown>>;
}

/** The event of a delivery that its `webhook-signature` proves (Standard Webhooks). Throws a WebhookError otherwise. */
export function verifyWebhook({ secret, headers, body, toleranceSeconds = TOLERANCE_SECONDS }: Delivery): WebhookEvent {
  const id = header(headers, 'webhook-id');
  const timestamp = header(headers, 'webhook-timestamp');
  const signatures = header(headers, 'webhook-signature');
  const age = Math.abs(Date.now() / 1000 - Number(timestamp));
  if (!/^\d+$/.test(timestamp) || age > toleranceSeconds) throw new WebhookError('webhook-timestamp is out of range');

  const bytes = Buffer.from(body);
  const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64');
  const expected = createHmac('sha256', key).update(`${id}.${timestamp}.`).update(bytes).digest('base64');
  // Several for a day after a rotation: one for each secret that is valid.
  if (!signatures.split(' ').some((signature) => isEqual(signature, `v1,${expected}`))) {
    throw new WebhookError('webhook-signature does not fit');
  }
  // Signed by the service, so it has this shape.
  return { ...(JSON.parse(bytes.toString('utf8')) as Omit<WebhookEvent, 'id'>), id };
}

/**
 * Whether `X-Service-Signature` proves the body: the simple signature, which covers no time and no id, so it cannot tell
 * an old delivery that somebody sends again.
 */
export const verifyServiceSignature = (secret: string, body: string | Uint8Array, signature: string): boolean =>
  isEqual(signature, createHmac('sha256', secret).update(Buffer.from(body)).digest('hex'));

function header(headers: Delivery['headers'], name: string): string {
  const value = headers instanceof Headers ? headers.get(name) : headers[name];
  if (typeof value !== 'string') throw new WebhookError(`${name} is missing`);
  return value;
}

/** In the same time wherever they differ, so that nobody can try a signature letter by letter. */
function isEqual(given: string, expected: string): boolean {
  const [a, b] = [Buffer.from(given), Buffer.from(expected)];
  return a.length === b.length && timingSafeEqual(a, b);
}
