import {
  newRecoveryCodes,
  newSharedSecret,
  otpauthUrl,
  plainRecoveryCode,
} from '../../adapters/crypto/one-time-codes.ts';
import { hashToken } from '../../adapters/crypto/tokens.ts';
import { Tenant } from '../../db/models/tenant.ts';
import { TwoFactor } from '../../db/models/two-factor.ts';
import { User } from '../../db/models/user.ts';
import { type AuditAction, recordAudit } from '../../db/writes/record-audit.ts';
import { requestSecurityMail } from '../../db/writes/request-security-mail.ts';
import { lockFactor, removeFactor, replaceRecoveryCodes } from '../../db/writes/second-factor.ts';
import { revokeSessionsOf } from '../../db/writes/sessions.ts';
import type { TenantTransaction } from '../../db/with-tenant.ts';
import { type Caller, memberActor } from '../../domain/caller.ts';
import {
  invalidInput,
  ServiceError,
  twoFactorEnabled,
  twoFactorNotEnabled,
  twoFactorNotSetUp,
} from '../../domain/errors.ts';
import { twoFactorLocked } from '../../domain/request-refusals.ts';
import type { Deps } from '../deps.ts';
import { assertPassword } from './assert-password.ts';
import { judge, type SecondFactorCode } from './second-factor.ts';
import type { SignInSource } from './sign-in.ts';

type Body = SecondFactorCode & { readonly password: string };

/** Makes a secret for the user, which counts once `enableTwoFactor` has seen a code. Another setup replaces it. */
export async function setUpTwoFactor(deps: Deps, caller: Caller, body: Body, source: SignInSource) {
  const { tenantId, userId } = caller;
  const user = await verified(deps, caller, body, source);
  const secret = newSharedSecret();
  const issuer = await deps.withTenant(tenantId, async (trx) => {
    const factor = await lockFactor(trx, userId);
    if (factor?.enabledAt) throw twoFactorEnabled();
    await removeFactor(trx, userId);
    const secretSealed = deps.secrets.seal(secret, { purpose: 'two_factor_secret', rowId: userId });
    await TwoFactor.query(trx).insert({ tenantId, userId, secretSealed }).onConflict(['tenantId', 'userId']).merge();
    return (await Tenant.query(trx).findById(tenantId).throwIfNotFound()).companyName;
  });
  return { secret, otpauthUrl: otpauthUrl(secret, { issuer, account: user.email }) };
}

/** Turns the second factor on, ends the user's other sessions, and returns the recovery codes, which are not shown again. */
export function enableTwoFactor(deps: Deps, caller: Caller, body: Body, source: SignInSource) {
  return withCode(deps, caller, { body, source, audit: 'two_factor_enabled' }, async (trx, factor) => {
    const { tenantId, userId, credential } = caller;
    await TwoFactor.query(trx).findOne({ tenantId, userId: factor.userId }).patch({ enabledAt: new Date() });
    await revokeSessionsOf(trx, { tenantId, userId, except: credential.id });
    return renewedCodes(trx, userId);
  });
}

/** Replaces the recovery codes; the old ones are not valid any more. */
export function renewRecoveryCodes(deps: Deps, caller: Caller, body: Body, source: SignInSource) {
  return withCode(deps, caller, { body, source, audit: 'recovery_codes_renewed' }, (trx) =>
    renewedCodes(trx, caller.userId),
  );
}

/** Turns the second factor off with a code or a recovery code, and mails the user. */
export function disableTwoFactor(deps: Deps, caller: Caller, body: Body, source: SignInSource) {
  return withCode(deps, caller, { body, source, audit: 'two_factor_disabled' }, async (trx) => {
    const { userId, requestId } = caller;
    await removeFactor(trx, userId);
    await requestSecurityMail(trx, { kind: 'two_factor_disabled', userId, ip: source.ip, requestId });
    return { ok: true } as const;
  });
}

async function renewedCodes(trx: TenantTransaction, userId: string) {
  const recoveryCodes = newRecoveryCodes();
  await replaceRecoveryCodes(
    trx,
    userId,
    recoveryCodes.map((code) => hashToken(plainRecoveryCode(code))),
  );
  return { recoveryCodes };
}

/**
 * Runs a change that password and code permit, with its audit entry. A wrong code counts, so its refusal is thrown after the
 * commit.
 */
async function withCode<Result>(
  deps: Deps,
  caller: Caller,
  { body, source, audit }: { body: Body; source: SignInSource; audit: AuditAction },
  change: (trx: TenantTransaction, factor: TwoFactor) => Promise<Result>,
): Promise<Result> {
  await verified(deps, caller, body, source);
  const result = await deps.withTenant(caller.tenantId, async (trx) => {
    const factor = await lockFactor(trx, caller.userId);
    const isEnabling = audit === 'two_factor_enabled';
    if (isEnabling && factor?.enabledAt) throw twoFactorEnabled();
    if (!factor || (!isEnabling && !factor.enabledAt)) throw isEnabling ? twoFactorNotSetUp() : twoFactorNotEnabled();
    const judged = await judge(deps, trx, factor, body, new Date());
    if (judged.outcome === 'locked') return twoFactorLocked(judged.retryAfterSeconds);
    if (judged.outcome === 'wrong') {
      const path = body.recoveryCode === undefined ? 'code' : 'recoveryCode';
      return invalidInput([{ path, message: 'no es correcto' }]);
    }
    const changed = await change(trx, factor);
    await recordAudit(trx, memberActor(caller), { action: audit, entity: 'collaborator', entityId: caller.userId });
    return changed;
  });
  if (result instanceof ServiceError) throw result;
  return result;
}

/** The caller's user, whose password was verified. */
async function verified(
  deps: Deps,
  { tenantId, userId }: Caller,
  { password }: Body,
  source: SignInSource,
): Promise<User> {
  const user = await deps.withTenant(tenantId, (trx) =>
    User.query(trx).findOne({ tenantId, id: userId }).throwIfNotFound(),
  );
  await assertPassword(deps, user, { path: 'password', password }, source);
  return user;
}
