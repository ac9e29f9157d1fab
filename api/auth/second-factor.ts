import { plainRecoveryCode, stepOf } from '../../adapters/crypto/one-time-codes.ts';
import { hashToken } from '../../adapters/crypto/tokens.ts';
import type { TwoFactor } from '../../db/models/two-factor.ts';
import { type Judged, judgeCode, lockFactor } from '../../db/writes/second-factor.ts';
import { requestSecurityMail } from '../../db/writes/request-security-mail.ts';
import type { TenantTransaction } from '../../db/with-tenant.ts';
import { type ServiceError, twoFactorRequired } from '../../domain/errors.ts';
import { twoFactorCodeWrong, twoFactorLocked } from '../../domain/request-refusals.ts';
import type { Deps } from '../deps.ts';

/** What a caller sent for the second factor; one of both, or none. */
export interface SecondFactorCode {
  readonly code?: string | undefined;
  readonly recoveryCode?: string | undefined;
}

/** The shared secret of a factor. */
export const secretOf = ({ secrets }: Pick<Deps, 'secrets'>, { userId, secretSealed }: TwoFactor): string =>
  secrets.open(secretSealed, { purpose: 'two_factor_secret', rowId: userId });

/** Judges a code for a locked factor. */
export const judge = (
  deps: Pick<Deps, 'secrets'>,
  trx: TenantTransaction,
  factor: TwoFactor,
  { code, recoveryCode }: SecondFactorCode,
  now: Date,
): Promise<Judged> =>
  judgeCode(
    trx,
    factor,
    {
      stepOf: (own) => (code === undefined ? undefined : stepOf(secretOf(deps, own), code, now)),
      recoveryHash: recoveryCode === undefined ? undefined : hashToken(plainRecoveryCode(recoveryCode)),
    },
    now,
  );

/**
 * The second step of a sign-in: undefined when it is passed or the user has none, else the refusal. The caller commits in
 * any case, because a wrong code counts; the user's row must be locked.
 */
export async function secondStep(
  deps: Pick<Deps, 'secrets'>,
  trx: TenantTransaction,
  { userId, ip, requestId, ...sent }: SecondFactorCode & { userId: string; ip: string; requestId: string },
): Promise<ServiceError | undefined> {
  const factor = await lockFactor(trx, userId);
  if (!factor?.enabledAt) return undefined;
  if (sent.code === undefined && sent.recoveryCode === undefined) return twoFactorRequired();
  const judged = await judge(deps, trx, factor, sent, new Date());
  if (judged.outcome === 'wrong') return twoFactorCodeWrong();
  if (judged.outcome === 'locked') return twoFactorLocked(judged.retryAfterSeconds);
  if (judged.outcome === 'recovered') {
    const subject = String(judged.codesLeft);
    await requestSecurityMail(trx, { kind: 'recovery_code_used', userId, ip, subject, requestId });
  }
  return undefined;
}
