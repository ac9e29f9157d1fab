import { newId } from '../../db/ids.ts';
import { registerTenant } from '../../db/writes/register-tenant.ts';
import type { Deps } from '../deps.ts';
import type { HandlerResult } from '../route.ts';
import type { Register, SessionBody } from './schema.ts';
import { openSession, type SignInSource, permitOf } from './sign-in.ts';

/** Creates a business and its owner, and opens a session. Throws `conflict` when the e-mail has an account. */
export async function register(
  deps: Deps,
  body: Register,
  source: SignInSource,
): Promise<HandlerResult<SessionBody, 201>> {
  const passwordHash = await deps.passwords.hash(body.password, permitOf(source));
  const tenantId = newId();
  return deps.withTenant(tenantId, async (trx) => {
    const user = await registerTenant(trx, {
      tenantId,
      businessName: body.businessName,
      plan: deps.config.SIGNUP_PLAN,
      owner: { name: body.name, email: body.email, passwordHash },
      requestId: source.requestId,
    });
    return openSession(deps, trx, { user, status: 201, ...source });
  });
}
