import { ApplicationFailure } from '@temporalio/common';
import type { Log } from '../adapters/log.ts';
import { MailUnavailable } from '../adapters/mail/failures.ts';
import { countMail, uncountMail } from '../db/writes/count-mail.ts';
import type { WithTenant } from '../db/with-tenant.ts';
import { ServiceError } from '../domain/errors.ts';
import type { MailQuota } from '../domain/mail-quota.ts';
import { retriedFailures } from '../workflows/failures.ts';

interface Allowance {
  readonly withTenant: WithTenant;
  readonly mailQuota: MailQuota;
  readonly log: Log;
}

/** Sends a mail that counts, as one for each recipient; one that the server surely did not take, and that is tried again, is not counted. */
export async function sendCounted<T>(
  allowance: Allowance,
  tenantId: string,
  send: () => Promise<T>,
  mails = 1,
): Promise<T> {
  await takeMailAllowance(allowance, tenantId, mails);
  try {
    return await send();
  } catch (error) {
    if (allowance.mailQuota && error instanceof MailUnavailable)
      await allowance.withTenant(tenantId, (trx) => uncountMail(trx, mails));
    throw error;
  }
}

/** Counts a mail that is about to go out. Throws `MailQuotaReached`, which time cures, when the business had its share. */
async function takeMailAllowance(
  { withTenant, mailQuota, log }: Allowance,
  tenantId: string,
  mails: number,
): Promise<void> {
  if (!mailQuota) return;
  try {
    await withTenant(tenantId, (trx) => countMail(trx, mailQuota, mails));
  } catch (error) {
    if (!(error instanceof ServiceError) || error.kind !== 'rate_limited') throw error;
    log.warn({ tenantId, reason: 'quota' }, 'mail put off: the business had its share for now');
    throw ApplicationFailure.create({
      type: retriedFailures.mailQuotaReached,
      message: 'el negocio llegó a su límite de correos por hora o por día',
      cause: error,
    });
  }
}
