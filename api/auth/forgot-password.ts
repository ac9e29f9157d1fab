import { setTimeout as sleep } from 'node:timers/promises';
import { User } from '../../db/models/user.ts';
import { isTenantDisabled } from '../../db/reads/disabled-tenant.ts';
import { recentTokens } from '../../db/writes/one-time-tokens.ts';
import type { Deps } from '../deps.ts';
import { mailOneTimeLink } from './one-time-link.ts';

/** Longer than the work for an address with an account, so that response times do not reveal accounts. */
const RESPONSE_TIME_MS = 250;
/** Protects inboxes from floods of mails. */
const MAX_LINKS_PER_HOUR = 5;

/** Mails a link for a new password if the address has an account. The response does not reveal whether it has. */
export async function forgotPassword(deps: Deps, { email }: { email: string }, requestId: string): Promise<void> {
  const respondAt = sleep(RESPONSE_TIME_MS);
  await queueLink(deps, email, requestId);
  await respondAt;
}

async function queueLink(deps: Deps, email: string, requestId: string): Promise<void> {
  const found = await deps.lookups.userByEmail(email);
  if (!found) return;
  const { tenantId, userId } = found;
  await deps.withTenant(tenantId, async (trx) => {
    // The lock serializes the count of concurrent requests.
    const user = await User.query(trx).findOne({ tenantId, id: userId, isActive: true }).forNoKeyUpdate();
    if (!user || (await recentTokens(trx, userId)) >= MAX_LINKS_PER_HOUR) return;
    if (await isTenantDisabled(trx)) return;
    // A user who has not accepted the invitation has no password yet: send the invitation again.
    const kind = user.passwordHash === null ? 'invitation' : 'password_reset';
    await mailOneTimeLink(deps, trx, { kind, userId, requestId });
  });
}
