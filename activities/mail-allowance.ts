import { ApplicationFailure } from '@temporalio/common';
import { countMail } from '../db/writes/count-mail.ts';
import type { WithTenant } from '../db/with-tenant.ts';
import { ServiceError } from '../domain/errors.ts';
import type { MailQuota } from '../domain/mail-quota.ts';

/** Counts a mail that is about to go out. Throws `MailQuotaReached`, which time cures, when the business had its share. */
export async function takeMailAllowance(
  { withTenant, mailQuota }: { readonly withTenant: WithTenant; readonly mailQuota: MailQuota },
  tenantId: string,
): Promise<void> {
  if (!mailQuota) return;
  try {
    await withTenant(tenantId, (trx) => countMail(trx, mailQuota));
  } catch (error) {
    if (!(error instanceof ServiceError) || error.kind !== 'rate_limited') throw error;
    throw ApplicationFailure.create({
      type: 'MailQuotaReached',
      message: 'el negocio llegó a su límite de correos por hora o por día',
      cause: error,
    });
  }
}
