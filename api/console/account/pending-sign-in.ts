import type { Deps } from '../../deps.ts';
import { SecretUnreadable } from '../../../adapters/crypto/secret-box.ts';

/** Address and password between the two steps of a sign-in, sealed: the page must not contain the password. */
interface PendingSignIn {
  readonly email: string;
  readonly password: string;
}

const LIFETIME_MS = 10 * 60_000;
const PLACE = { purpose: 'pending_sign_in', rowId: 'console' } as const;

export const sealPending = (
  { secrets, now }: Pick<Deps, 'secrets' | 'now'>,
  { email, password }: PendingSignIn,
): string => secrets.seal(JSON.stringify({ email, password, until: now().getTime() + LIFETIME_MS }), PLACE);

/** Undefined for a text that was not sealed here, and after ten minutes. */
export function openPending(
  { secrets, now }: Pick<Deps, 'secrets' | 'now'>,
  sealed: string,
): PendingSignIn | undefined {
  try {
    // Sealed by us.
    const { until, ...pending } = JSON.parse(secrets.open(sealed, PLACE)) as PendingSignIn & { until: number };
    return until > now().getTime() ? pending : undefined;
  } catch (error) {
    if (error instanceof SecretUnreadable) return undefined;
    throw error;
  }
}
