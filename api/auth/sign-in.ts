import type { Turn } from '../../adapters/fair-queue.ts';
import type { Session } from '../../db/models/session.ts';
import { Tenant } from '../../db/models/tenant.ts';
import { User } from '../../db/models/user.ts';
import { recordAudit } from '../../db/writes/record-audit.ts';
import { absoluteEnd, startSession } from '../../db/writes/sessions.ts';
import type { TenantTransaction } from '../../db/with-tenant.ts';
import { ServiceError, unauthenticated } from '../../domain/errors.ts';
import type { Deps } from '../deps.ts';
import type { Answer } from '../route.ts';
import { sessionBody } from './present.ts';
import type { Credentials } from './schema.ts';

/** Signs in with e-mail and password. Unknown address and wrong password give the same answer after the same time. */
export async function signIn(
  deps: Deps,
  credentials: Credentials,
  { requestId, ip, turn }: { requestId: string; ip: string; turn: Turn },
): Promise<Answer> {
  const attempt = { email: credentials.email, ip };
  await deps.signInThrottle.admit(attempt);
  try {
    const user = await whoHas(deps, credentials, turn);
    await deps.signInThrottle.forgive(attempt);
    return await deps.withTenant(user.tenantId, (trx) => openSession(deps, trx, { user, status: 200, requestId }));
  } catch (error) {
    // No guess: the queue was full, or PostgreSQL away. A flood must not use up the attempts of those it kept out.
    if (!(error instanceof ServiceError && error.kind === 'unauthenticated'))
      await deps.signInThrottle.withdraw(attempt);
    throw error;
  }
}

async function whoHas(
  { lookups, passwords, withTenant }: Pick<Deps, 'lookups' | 'passwords' | 'withTenant'>,
  { email, password }: Credentials,
  turn: Turn,
): Promise<User> {
  const found = await lookups.userByEmail(email.trim());
  const user =
    found &&
    (await withTenant(found.tenantId, (trx) =>
      User.query(trx).findOne({ tenantId: found.tenantId, id: found.userId }),
    ));
  if (!user?.passwordHash || !user.isActive) {
    await passwords.verifyNothing(password, turn);
    throw unauthenticated();
  }
  if (!(await passwords.verify(user.passwordHash, password, turn))) throw unauthenticated();
  return user;
}

/** Starts a session for a user who has proved who they are: the row, the audit entry, the cookie. */
export async function openSession(
  { cookies }: Pick<Deps, 'cookies'>,
  trx: TenantTransaction,
  { user, status, requestId }: { user: User; status: number; requestId: string },
): Promise<Answer> {
  const { tenantId } = user;
  const session = await startSession(trx, user);
  await User.query(trx).findOne({ tenantId, id: user.id }).patch({ lastLoginAt: new Date() });
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

// The cookie lives as long as the session can at most; the row, read at each request, says when it really ends.
async function sealed(cookies: Deps['cookies'], { id, userId, tenantId, createdAt }: Session) {
  const expires = absoluteEnd(createdAt);
  return { token: await cookies.seal({ sessionId: id, userId, tenantId }, expires), expires };
}
