import type { User } from '../../db/models/user.ts';
import { invalidInput, type ServiceError } from '../../domain/errors.ts';
import { signInThrottled } from '../../domain/request-refusals.ts';
import type { Deps } from '../deps.ts';
import { permitOf, type SignInSource } from './sign-in.ts';

/**
 * Verifies a signed-in user's password, within the limits of sign-ins: who has only the session must not guess it. Throws
 * a 400 that names the member for a wrong one, and a 429 beyond the limits.
 */
export async function assertPassword(
  deps: Pick<Deps, 'passwords' | 'signInThrottle'>,
  user: User,
  { path, password }: { path: string; password: string },
  source: SignInSource,
): Promise<void> {
  const admission = await deps.signInThrottle.admit({ email: user.email, ip: source.ip });
  if (admission.retryAfterSeconds !== undefined) throw signInThrottled(admission.retryAfterSeconds);
  let isRight: boolean;
  try {
    isRight =
      user.passwordHash !== null && (await deps.passwords.verify(user.passwordHash, password, permitOf(source)));
  } catch (error) {
    await admission.undo();
    throw error;
  }
  if (!isRight) throw wrongPassword(path);
  await admission.reset();
}

export const wrongPassword = (path: string): ServiceError => invalidInput([{ path, message: 'no es correcta' }]);
