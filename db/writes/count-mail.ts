import { mailQuotaReached } from '../../domain/request-refusals.ts';
import type { MailQuota } from '../../domain/mail-quota.ts';
import { tenantOf, type TenantTransaction } from '../with-tenant.ts';

const HOUR_S = 3_600;

/**
 * Counts mails of the business, one for each recipient, or throws `rate_limited` with the seconds until one may go out again. Counted in the
 * transaction that has it sent, by the database's clock: it holds for all processes together.
 */
export async function countMail(trx: TenantTransaction, quota: MailQuota, mails = 1): Promise<void> {
  if (!quota) return;
  const tenantId = tenantOf(trx);
  const { rows } = await trx.raw<{ rows: { mails: number; restS: number }[] }>(
    `insert into mail_counts (tenant_id, hour, mails) values (?, date_trunc('hour', now(), 'UTC'), ?)
     on conflict (tenant_id, hour) do update set mails = mail_counts.mails + excluded.mails
     returning mails, ceil(extract(epoch from hour + interval '1 hour' - now()))::int as "restS"`,
    [tenantId, mails],
  );
  const [hour] = rows;
  if (!hour) throw new Error('the mail was not counted');
  if (hour.mails > quota.perHour) throw mailQuotaReached(hour.restS);

  const { rows: days } = await trx.raw<{ rows: { mails: number; oldestAgeH: number }[] }>(
    `select sum(mails)::int as mails, (extract(epoch from date_trunc('hour', now(), 'UTC') - min(hour)) / ?)::int as "oldestAgeH"
       from mail_counts where tenant_id = ? and hour > now() - interval '24 hours'`,
    [HOUR_S, tenantId],
  );
  const [day] = days;
  // Sending is allowed again when the oldest hour that counts is a day old.
  if (day && day.mails > quota.perDay) throw mailQuotaReached(hour.restS + (23 - day.oldestAgeH) * HOUR_S);
  if (hour.mails === mails) await forgetOld(trx, tenantId);
}

/** Takes the count of mails back that surely did not go out. */
export async function uncountMail(trx: TenantTransaction, mails = 1): Promise<void> {
  await trx.raw(
    `update mail_counts set mails = greatest(mails - ?, 0)
      where tenant_id = ? and mails > 0
        and hour = (select max(hour) from mail_counts where tenant_id = ?)`,
    [mails, tenantOf(trx), tenantOf(trx)],
  );
}

const forgetOld = (trx: TenantTransaction, tenantId: string) =>
  trx.raw(`delete from mail_counts where tenant_id = ? and hour < now() - interval '2 days'`, [tenantId]);
