import { setTimeout as sleep } from 'node:timers/promises';
import { User } from '../../db/models/user.ts';
import { recentTokens } from '../../db/writes/one-time-tokens.ts';
import type { Deps } from '../deps.ts';
import { mailOneTimeLink } from './one-time-link.ts';

/** Milliseconds. Longer than the work for an address with an account, so that the time tells nobody whether it has one. */
const ANSWER_AFTER_MS = 250;
/** So that nobody fills another's inbox. */
const MOST_LINKS_PER_HOUR = 5;

/** Mails a link for a new password to whoever has that address, and says nothing of whether anybody has. */
export async function forgotPassword(deps: Deps, { email }: { email: string }, requestId: string): Promise<void> {
  const answer = sleep(ANSWER_AFTER_MS);
  await mailLink(deps, email, requestId);
  await answer;
}

async function mailLink(deps: Deps, email: string, requestId: string): Promise<void> {
  const found = await deps.lookups.userByEmail(email);
  if (!found) return;
  const { tenantId, userId } = found;
  await deps.withTenant(tenantId, async (trx) => {
    // Locked, so that requests at the same time are counted one after the other.
    const user = await User.query(trx).findOne({ tenantId, id: userId, isActive: true }).forNoKeyUpdate();
    if (!user || (await recentTokens(trx, userId)) >= MOST_LINKS_PER_HOUR) return;
    // Who never accepted the invitation has no password to forget: they get it again.
    const kind = user.passwordHash === null ? 'invitation' : 'password_reset';
    await mailOneTimeLink(deps, trx, { kind, userId, requestId });
  });
}
