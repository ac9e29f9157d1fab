import { newId } from '../ids.ts';
import { RecoveryCode } from '../models/recovery-code.ts';
import { TwoFactor } from '../models/two-factor.ts';
import { tenantOf, type TenantTransaction } from '../with-tenant.ts';

const LOCK_MS = 15 * 60 * 1000;
/** Wrong codes that lock the factor. */
const MAX_FAILURES = 5;

/** How a code was judged. */
export type Judged =
  | { readonly outcome: 'right' }
  | { readonly outcome: 'recovered'; readonly codesLeft: number }
  | { readonly outcome: 'wrong' }
  | { readonly outcome: 'locked'; readonly retryAfterSeconds: number };

/** A code as typed by the user, judged outside: the step that it is the code of, or the hash of a recovery code. */
export interface TypedCode {
  /** Undefined for a wrong code, or when a recovery code was typed. */
  readonly stepOf: (factor: TwoFactor) => number | undefined;
  readonly recoveryHash: string | undefined;
}

/** Whether the user's sign-in asks for a code, and how many recovery codes are unused. */
export async function readSecondFactor(trx: TenantTransaction, userId: string) {
  const tenantId = tenantOf(trx);
  const factor = await TwoFactor.query(trx).findOne({ tenantId, userId }).whereNotNull('enabledAt');
  const recoveryCodesLeft = await codesLeft(trx, tenantId, userId);
  return { enabled: factor !== undefined, recoveryCodesLeft };
}

const codesLeft = (trx: TenantTransaction, tenantId: string, userId: string): Promise<number> =>
  RecoveryCode.query(trx).where({ tenantId, userId }).whereNull('usedAt').resultSize();

/** The user's factor, locked; undefined without one. */
export async function lockFactor(trx: TenantTransaction, userId: string): Promise<TwoFactor | undefined> {
  return TwoFactor.query(trx)
    .findOne({ tenantId: tenantOf(trx), userId })
    .forUpdate();
}

/**
 * Judges a code and counts it: a step and a recovery code are valid once, and five wrong codes in a quarter of an hour
 * refuse all further ones until it is over. The factor must be locked. The caller commits in any case.
 */
export async function judgeCode(
  trx: TenantTransaction,
  factor: TwoFactor,
  typed: TypedCode,
  now: Date,
): Promise<Judged> {
  const { tenantId, userId, failuresSince } = factor;
  const since = failuresSince && now.getTime() - failuresSince.getTime() < LOCK_MS ? failuresSince : null;
  const failures = since ? factor.failures : 0;
  if (since && failures >= MAX_FAILURES) {
    return { outcome: 'locked', retryAfterSeconds: Math.ceil((since.getTime() + LOCK_MS - now.getTime()) / 1000) };
  }
  const own = TwoFactor.query(trx).findOne({ tenantId, userId });

  const step = typed.stepOf(factor);
  if (step !== undefined && (factor.lastStep === null || step > Number(factor.lastStep))) {
    await own.patch({ lastStep: String(step), failures: 0, failuresSince: null });
    return { outcome: 'right' };
  }
  if (typed.recoveryHash !== undefined && (await consumeRecoveryCode(trx, factor, typed.recoveryHash, now))) {
    await own.patch({ failures: 0, failuresSince: null });
    return { outcome: 'recovered', codesLeft: await codesLeft(trx, tenantId, userId) };
  }
  await own.patch({ failures: failures + 1, failuresSince: since ?? now });
  return { outcome: 'wrong' };
}

async function consumeRecoveryCode(
  trx: TenantTransaction,
  { tenantId, userId }: TwoFactor,
  hash: string,
  usedAt: Date,
): Promise<boolean> {
  const used = await RecoveryCode.query(trx).where({ tenantId, userId, hash }).whereNull('usedAt').patch({ usedAt });
  return used === 1;
}

/** Replaces the user's recovery codes. */
export async function replaceRecoveryCodes(
  trx: TenantTransaction,
  userId: string,
  hashes: readonly string[],
): Promise<void> {
  const tenantId = tenantOf(trx);
  await RecoveryCode.query(trx).where({ tenantId, userId }).delete();
  await RecoveryCode.query(trx).insert(hashes.map((hash) => ({ id: newId(), tenantId, userId, hash })));
}

/** Removes the factor and its recovery codes. */
export async function removeFactor(trx: TenantTransaction, userId: string): Promise<void> {
  const tenantId = tenantOf(trx);
  await RecoveryCode.query(trx).where({ tenantId, userId }).delete();
  await TwoFactor.query(trx).where({ tenantId, userId }).delete();
}
