import type { SecretBox } from '../crypto/secret-box.ts';

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
