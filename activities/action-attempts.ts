import { ApplicationFailure } from '@temporalio/common';
import type { WithTenant } from '../db/with-tenant.ts';
import { countAttempt } from '../db/writes/action-ledger.ts';
import { failures } from '../workflows/failures.ts';
import { type ActionRef, runGone } from './automation-action.ts';
import { permanent } from './permanent-failure.ts';

/** Seconds before the second attempt at an action, the third, and so on: about eleven minutes in all. */
const PAUSES_S = [2, 8, 32, 128, 512];
const MAX_ATTEMPTS = PAUSES_S.length + 1;

/**
 * Counts an attempt at an action in PostgreSQL, then makes it. A failure says when the next attempt is, or after the last
 * one that there is none. Temporal's own count would also have the tries that were throttled and made no attempt.
 */
export async function countedAttempt<T>(
  { withTenant }: { readonly withTenant: WithTenant },
  ref: ActionRef,
  work: () => Promise<T>,
): Promise<T> {
  const attempt = await withTenant(ref.tenantId, (trx) => countAttempt(trx, ref));
  if (attempt === undefined) throw runGone();
  // The last ones were lost with their workers.
  if (attempt > MAX_ATTEMPTS) throw permanent(failures.attemptsUsed, 'no se logró después de varios intentos');
  try {
    return await work();
  } catch (error) {
    if (error instanceof ApplicationFailure && error.nonRetryable === true) throw error;
    const pauseS = PAUSES_S[attempt - 1];
    throw ApplicationFailure.fromError(
      error,
      pauseS === undefined ? { nonRetryable: true } : { nextRetryDelay: pauseS * 1_000 },
    );
  }
}
