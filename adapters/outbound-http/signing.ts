import { createHmac, randomBytes } from 'node:crypto';
import type { SecretBox } from '../crypto/secret-box.ts';

/**
 * Signatures of webhook calls, for two kinds of receivers: `X-Service-Signature` for a plain HMAC with the secret as it
 * is, and the three headers of Standard Webhooks for its libraries.
 */

const PREFIX = 'whsec_';
const SECRET_BYTES = 32;

/** `whsec_` and 32 random bytes in base64. */
export const newWebhookSecret = (): string => PREFIX + randomBytes(SECRET_BYTES).toString('base64');

/** A webhook's secrets as stored. */
export interface SealedSecrets {
  /** The webhook's id: they open for no other. */
  readonly id: string;
  readonly secretSealed: string;
  readonly previousSecretSealed: string | null;
  readonly previousValidUntil: Date | null;
}

/** The secrets that sign a webhook's calls now: the current one, and the previous one while it is valid. */
export function signingSecrets(box: SecretBox, webhook: SealedSecrets, now = new Date()): [string, ...string[]] {
  const { id, secretSealed, previousSecretSealed, previousValidUntil } = webhook;
  const overlap = previousSecretSealed !== null && previousValidUntil !== null && previousValidUntil > now;
  const place = { purpose: 'webhook_secret', rowId: id } as const;
  return [box.open(secretSealed, place), ...(overlap ? [box.open(previousSecretSealed, place)] : [])];
}

export interface Signing {
  /** The current secret first; after a rotation also the previous one, while it is valid. */
  readonly secrets: readonly [string, ...string[]];
  /** `webhook-id`: the event's id, the same in every attempt and replay. */
  readonly eventId: string;
  /** Of this attempt. */
  readonly at: Date;
  readonly body: string;
}

/** The headers that authenticate a body. */
export function signatureHeaders({ secrets, eventId, at, body }: Signing): Record<string, string> {
  const timestamp = String(Math.floor(at.getTime() / 1000));
  return {
    'X-Service-Signature': hmac(secrets[0], body).toString('hex'),
    'webhook-id': eventId,
    'webhook-timestamp': timestamp,
    'webhook-signature': secrets
      .map((secret) => `v1,${hmac(decoded(secret), `${eventId}.${timestamp}.${body}`).toString('base64')}`)
      .join(' '),
  };
}

const hmac = (key: string | Buffer, message: string): Buffer =>
  createHmac('sha256', key).update(message, 'utf8').digest();

// Standard Webhooks' libraries decode what follows the prefix as base64.
const decoded = (secret: string): Buffer => Buffer.from(secret.slice(PREFIX.length), 'base64');
