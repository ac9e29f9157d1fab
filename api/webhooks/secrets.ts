import type { SecretBox } from '../../adapters/crypto/secret-box.ts';
import type { Webhook } from '../../db/models/webhook.ts';

/** What a webhook's calls are signed with now: its secret, and the one before while that is valid. */
export function signingSecrets(box: SecretBox, webhook: Webhook, now = new Date()): [string, ...string[]] {
  const { id, secretSealed, previousSecretSealed, previousValidUntil } = webhook;
  const overlap = previousSecretSealed !== null && previousValidUntil !== null && previousValidUntil > now;
  return [box.open(secretSealed, id), ...(overlap ? [box.open(previousSecretSealed, id)] : [])];
}
