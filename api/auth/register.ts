import { newId } from '../../db/ids.ts';
import { registerTenant } from '../../db/writes/register-tenant.ts';
import { emailTaken, registrationClosed } from '../../domain/errors.ts';
import type { Deps } from '../deps.ts';
import type { HandlerResult } from '../route.ts';
import { isAddressTaken } from './is-address-taken.ts';
import { mailOneTimeLink } from './one-time-link.ts';
import type { Register, SessionBody } from './schema.ts';
import { openSession, type SignInSource, permitOf } from './sign-in.ts';

/**
 * Creates a business and its owner, and opens a session. Throws `conflict` when the e-mail has an account, and
 * `registration_closed` where operators create the businesses.
 */
export async function register(
  deps: Deps,
  body: Register,
  source: SignInSource,
): Promise<HandlerResult<SessionBody, 201>> {
  if (deps.config.REGISTRATION === 'closed') throw registrationClosed();
  const isVerified = !needsVerification(deps.config);
  if (!isVerified && (await isAddressTaken(deps, body.email))) throw emailTaken();
  const passwordHash = await deps.passwords.hash(body.password, permitOf(source));
  const tenantId = newId();
  return deps.withTenant(tenantId, async (trx) => {
    const user = await registerTenant(trx, {
      tenantId,
      businessName: body.businessName,
      plan: deps.config.SIGNUP_PLAN,
      isVerified,
      owner: { name: body.name, email: body.email, passwordHash },
      by: { kind: 'user', requestId: source.requestId },
    });
    if (!isVerified) {
      const { requestId } = source;
      await mailOneTimeLink(deps, trx, { kind: 'email_verification', userId: user.id, requestId });
    }
    return openSession(deps, trx, { user, status: 201, ...source });
  });
}

/** Whether a registration must confirm its address: in production, unless the operator has decided otherwise. */
const needsVerification = ({ EMAIL_VERIFICATION, PROFILE }: Deps['config']): boolean =>
  (EMAIL_VERIFICATION ?? (PROFILE === 'production' ? 'required' : 'off')) === 'required';
