import { setTimeout as sleep } from 'node:timers/promises';
import type { PermitRequest } from '../../adapters/fair-queue.ts';
import type { Session } from '../../db/models/session.ts';
import { Tenant } from '../../db/models/tenant.ts';
import { User } from '../../db/models/user.ts';
import { recordAudit } from '../../db/writes/record-audit.ts';
import { recordFailedSignIn } from '../../db/writes/record-failed-sign-in.ts';
import { absoluteEnd, startSession } from '../../db/writes/sessions.ts';
import type { TenantTransaction } from '../../db/with-tenant.ts';
import { tooManyRequests, unauthenticated } from '../../domain/errors.ts';
import type { Deps } from '../deps.ts';
import { clientNetworkOf } from '../network-of.ts';
import type { Answer } from '../route.ts';
import { sessionBody } from './present.ts';
import type { Credentials } from './schema.ts';

/** The request that signs somebody in. */
export interface SignInSource {
  readonly requestId: string;
  readonly ip: string;
  /** Aborted when the caller leaves. */
  readonly signal: AbortSignal;
}

/** The turn for hashing of a caller whose tenant is not known yet. */
export const turnOf = ({ ip, signal }: SignInSource): PermitRequest => ({ key: clientNetworkOf(ip), signal });

/** Milliseconds. Longer than auditing a failure, so that the time does not tell whether the address has an account. */
const FAILURE_RESPONSE_MS = 100;
/** Of one account; the one that was used longest ago makes room. */
const MAX_KNOWN_NETWORKS = 10;

/**
 * Signs in with e-mail and password. Unknown address and wrong password give the same response after the same work. Beyond
 * the limits of the throttle everything is refused alike, but correct credentials from a network that the account signed
 * in from before: nobody can keep the account's owner out by failing on purpose.
 */
export async function signIn(deps: Deps, credentials: Credentials, source: SignInSource): Promise<Answer> {
  const admission = await deps.signInThrottle.admit({ email: credentials.email, ip: source.ip });
  const { retryAfterSeconds } = admission;
  let account: User | undefined;
  let opened: Answer | undefined;
  try {
    account = await findAccount(deps, credentials.email);
    const isRight = await isPasswordOf(deps, { account, password: credentials.password, turn: turnOf(source) });
    const isAdmitted =
      retryAfterSeconds === undefined || account?.knownNetworks.includes(clientNetworkOf(source.ip)) === true;
    if (account && isRight && isAdmitted) opened = await openIfUnchanged(deps, account, source);
  } catch (error) {
    // No guess: the queue was full, or PostgreSQL away. A flood must not use up the attempts of those it kept out.
    await admission.withdraw();
    throw error;
  }
  if (opened) {
    await admission.forgive();
    return opened;
  }
  await reportFailure(deps, account, { ...source, isThrottled: retryAfterSeconds !== undefined });
  throw retryAfterSeconds === undefined ? unauthenticated() : tooManyRequests(retryAfterSeconds);
}

async function findAccount(
  { lookups, withTenant }: Pick<Deps, 'lookups' | 'withTenant'>,
  email: string,
): Promise<User | undefined> {
  const found = await lookups.userByEmail(email);
  if (!found) return undefined;
  const { tenantId, userId } = found;
  return withTenant(tenantId, (trx) => User.query(trx).findOne({ tenantId, id: userId }));
}

/** Hashes once, whether or not there is an account with a password. */
const isPasswordOf = (
  { passwords }: Pick<Deps, 'passwords'>,
  { account, password, turn }: { account: User | undefined; password: string; turn: PermitRequest },
): Promise<boolean> =>
  account?.passwordHash && account.isActive
    ? passwords.verify(account.passwordHash, password, turn)
    : passwords.verifyNothing(password, turn);

/** Opens a session unless the password or the active flag changed since the password was verified. */
const openIfUnchanged = (deps: Deps, account: User, source: SignInSource): Promise<Answer | undefined> =>
  deps.withTenant(account.tenantId, async (trx) => {
    const { tenantId, id } = account;
    // Locked: a reset or a deactivation has committed and is seen here, or it comes later and ends this session too.
    const user = await User.query(trx).findOne({ tenantId, id }).forNoKeyUpdate();
    if (!user?.isActive || user.passwordHash !== account.passwordHash) return undefined;
    return openSession(deps, trx, { user, status: 200, ...source });
  });

/** Logs and audits a failed sign-in: where from and to which account, never what was typed. */
async function reportFailure(
  { log, withTenant }: Pick<Deps, 'log' | 'withTenant'>,
  account: User | undefined,
  { requestId, ip, isThrottled }: SignInSource & { isThrottled: boolean },
): Promise<void> {
  const respondAt = sleep(FAILURE_RESPONSE_MS);
  log.info({ requestId, ip, tenantId: account?.tenantId, throttled: isThrottled }, 'a sign-in failed');
  if (account) {
    const { tenantId, id: userId } = account;
    await withTenant(tenantId, (trx) => recordFailedSignIn(trx, { userId, ip, requestId }));
  }
  await respondAt;
}

/** Starts a session for a user who has proved who they are: the row, the audit entry, the cookie. */
export async function openSession(
  { cookies }: Pick<Deps, 'cookies'>,
  trx: TenantTransaction,
  { user, status, requestId, ip }: SignInSource & { user: User; status: number },
): Promise<Answer> {
  const { tenantId } = user;
  const session = await startSession(trx, user);
  await User.query(trx)
    .findOne({ tenantId, id: user.id })
    .patch({ lastLoginAt: new Date(), knownNetworks: withNetwork(user.knownNetworks, clientNetworkOf(ip)) });
  await recordAudit(
    trx,
    { tenantId, userId: user.id, kind: 'user', mover: 'member', requestId },
    { action: 'login', entity: 'session', entityId: session.id },
  );
  const tenant = await Tenant.query(trx).findById(tenantId).throwIfNotFound();
  return {
    status,
    body: sessionBody(user, tenant.plan, session.expiresAt),
    session: await sealed(cookies, session),
  };
}

const withNetwork = (known: readonly string[], network: string): string[] =>
  [network, ...known.filter((other) => other !== network)].slice(0, MAX_KNOWN_NETWORKS);

// The cookie lives as long as the session can at most; the row, read at each request, says when it really ends.
async function sealed(cookies: Deps['cookies'], { id, userId, tenantId, createdAt }: Session) {
  const expires = absoluteEnd(createdAt);
  return { token: await cookies.seal({ sessionId: id, userId, tenantId }, expires), expires };
}
