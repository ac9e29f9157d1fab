import type { SecretBox } from '../crypto/secret-box.ts';

/** The secrets of a webhook as they are stored. */
export interface SealedSecrets {
  /** The webhook's: they open for no other. */
  readonly id: string;
  readonly secretSealed: string;
  readonly previousSecretSealed: string | null;
  readonly previousValidUntil: Date | null;
}

/** What a webhook's calls are signed with now: its secret, and the one before while that is valid. */
export function signingSecrets(box: SecretBox, webhook: SealedSecrets, now = new Date()): [string, ...string[]] {
  const { id, secretSealed, previousSecretSealed, previousValidUntil } = webhook;
  const overlap = previousSecretSealed !== null && previousValidUntil !== null && previousValidUntil > now;
  const place = { purpose: 'webhook_secret', rowId: id } as const;
  return [box.open(secretSealed, place), ...(overlap ? [box.open(previousSecretSealed, place)] : [])];
}
