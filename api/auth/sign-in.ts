import type { Session } from '../../db/models/session.ts';
import { Tenant } from '../../db/models/tenant.ts';
import { User } from '../../db/models/user.ts';
import { recordAudit } from '../../db/writes/record-audit.ts';
import { absoluteEnd, startSession } from '../../db/writes/sessions.ts';
import type { TenantTransaction } from '../../db/with-tenant.ts';
import { unauthenticated } from '../../domain/errors.ts';
import type { Deps } from '../deps.ts';
import type { Answer } from '../route.ts';
import { sessionBody } from './present.ts';
import type { Credentials } from './schema.ts';

/** Signs in with e-mail and password. Unknown address and wrong password give the same answer after the same time. */
export async function signIn(deps: Deps, { email, password }: Credentials, requestId: string): Promise<Answer> {
  const { lookups, passwords, withTenant } = deps;
  const found = await lookups.userByEmail(email.trim());
  const user =
    found &&
    (await withTenant(found.tenantId, (trx) =>
      User.query(trx).findOne({ tenantId: found.tenantId, id: found.userId }),
    ));
  if (!user?.passwordHash || !user.isActive) {
    await passwords.verifyNothing(password);
    throw unauthenticated();
  }
  if (!(await passwords.verify(user.passwordHash, password))) throw unauthenticated();
  return withTenant(user.tenantId, (trx) => openSession(deps, trx, { user, status: 200, requestId }));
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
