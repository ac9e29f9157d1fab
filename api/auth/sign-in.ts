import { setTimeout as sleep } from 'node:timers/promises';
import type { PermitRequest } from '../../adapters/fair-queue.ts';
import type { Session } from '../../db/models/session.ts';
import { Tenant } from '../../db/models/tenant.ts';
import { User } from '../../db/models/user.ts';
import { isTenantDisabled } from '../../db/reads/disabled-tenant.ts';
import { recordAudit } from '../../db/writes/record-audit.ts';
import { recordFailedSignIn } from '../../db/writes/record-failed-sign-in.ts';
import { absoluteEnd, startSession } from '../../db/writes/sessions.ts';
import type { TenantTransaction } from '../../db/with-tenant.ts';
import { ServiceError } from '../../domain/errors.ts';
import { signInFailed, signInThrottled } from '../../domain/request-refusals.ts';
import type { Deps } from '../deps.ts';
import { clientNetworkOf } from '../network-of.ts';
import type { HandlerResult } from '../route.ts';
import { sessionBody } from './present.ts';
import { type SecondFactorCode, secondStep } from './second-factor.ts';
import type { Credentials, SessionBody } from './schema.ts';

/** The source of a request to sign in. */
export interface SignInSource {
  readonly requestId: string;
  readonly ip: string;
  readonly userAgent: string;
  /** Aborted when the caller disconnects. */
  readonly signal: AbortSignal;
}

/** The fair-queue key for hashing while the tenant is unknown. */
export const permitOf = ({ ip, signal }: SignInSource): PermitRequest => ({ key: clientNetworkOf(ip), signal });

/** Longer than auditing a failure, so that response times do not reveal accounts. */
const FAILURE_RESPONSE_MS = 100;
/** Per account; the least recently used one is dropped. */
const MAX_KNOWN_NETWORKS = 10;

/**
 * Signs in with e-mail and password. Unknown address and wrong password give the same response after the same work.
 * Beyond the limits of the throttle all attempts are refused, except correct credentials from a network that the
 * account has signed in from before. So failing on purpose cannot lock out the account's owner.
 */
export async function signIn(
  deps: Deps,
  credentials: Credentials,
  source: SignInSource,
): Promise<HandlerResult<SessionBody, 200>> {
  const admission = await deps.signInThrottle.admit({ email: credentials.email, ip: source.ip });
  const { retryAfterSeconds } = admission;
  let account: User | undefined;
  let opened: HandlerResult<SessionBody, 200> | ServiceError | undefined;
  try {
    account = await findAccount(deps, credentials.email);
    const isRight = await isPasswordOf(deps, { account, password: credentials.password, permit: permitOf(source) });
    const isAdmitted =
      retryAfterSeconds === undefined || account?.knownNetworks.includes(clientNetworkOf(source.ip)) === true;
    if (account && isRight && isAdmitted) opened = await openIfUnchanged(deps, account, { ...source, ...credentials });
  } catch (error) {
    // The password was not verified: the hash queue was full, or PostgreSQL is down. A flood must not use up the limits
    // of the callers that it crowds out.
    await admission.undo();
    throw error;
  }
  if (opened instanceof ServiceError) {
    // The password was right; wrong codes are counted with the account.
    await admission.undo();
    if (opened.kind === 'unauthenticated') await reportFailure(deps, account, { ...source, isThrottled: false });
    throw opened;
  }
  if (opened) {
    await admission.reset();
    return opened;
  }
  await reportFailure(deps, account, { ...source, isThrottled: retryAfterSeconds !== undefined });
  throw retryAfterSeconds === undefined ? signInFailed() : signInThrottled(retryAfterSeconds);
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

/** Hashes once in any case, so that response times do not reveal accounts. */
const isPasswordOf = (
  { passwords }: Pick<Deps, 'passwords'>,
  { account, password, permit }: { account: User | undefined; password: string; permit: PermitRequest },
): Promise<boolean> =>
  account?.passwordHash && account.isActive
    ? passwords.verify(account.passwordHash, password, permit)
    : passwords.verifyNothing(password, permit);

/**
 * Opens a session unless the password or the active flag changed since the password was verified, or the business is disabled. Returns the refusal of
 * the second factor, whose count is committed.
 */
const openIfUnchanged = (
  deps: Deps,
  account: User,
  { code, recoveryCode, ...source }: SignInSource & SecondFactorCode,
): Promise<HandlerResult<SessionBody, 200> | ServiceError | undefined> =>
  deps.withTenant(account.tenantId, async (trx) => {
    const { tenantId, id } = account;
    // The lock orders this with resets and deactivations: an earlier one is visible here, a later one revokes this
    // session.
    const user = await User.query(trx).findOne({ tenantId, id }).forNoKeyUpdate();
    if (!user?.isActive || user.passwordHash !== account.passwordHash) return undefined;
    if (await isTenantDisabled(trx)) return undefined;
    const { ip, requestId } = source;
    const refusal = await secondStep(deps, trx, { userId: id, ip, requestId, code, recoveryCode });
    return refusal ?? openSession(deps, trx, { user, status: 200, ...source });
  });

/** Logs and audits a failed sign-in with its source and account, never with the submitted credentials. */
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

/** Starts a session for an authenticated user: row, audit entry and cookie. */
export async function openSession<Status extends number>(
  { cookies }: Pick<Deps, 'cookies'>,
  trx: TenantTransaction,
  { user, status, requestId, ip, userAgent }: SignInSource & { user: User; status: Status },
): Promise<HandlerResult<SessionBody, Status>> {
  const { tenantId } = user;
  const session = await startSession(trx, user, { ip, userAgent });
  await User.query(trx)
    .findOne({ tenantId, id: user.id })
    .patch({ lastLoginAt: new Date(), knownNetworks: withNetwork(user.knownNetworks, clientNetworkOf(ip)) });
  await recordAudit(
    trx,
    { tenantId, userId: user.id, kind: 'user', movesQuotesAs: 'member', requestId },
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

// The cookie expires at the session's absolute end. The row, read for each request, has the earlier idle expiry.
async function sealed(cookies: Deps['cookies'], { id, userId, tenantId, createdAt }: Session) {
  const expires = absoluteEnd(createdAt);
  return { token: await cookies.seal({ sessionId: id, userId, tenantId }, expires), expires };
}
