import { type FollowUpTime, followUpTimes, isOnDayOf } from '../../domain/follow-ups.ts';
import { hasFeature } from '../../domain/plans.ts';
import { ExpiryReminder } from '../models/expiry-reminder.ts';
import { FollowUp } from '../models/follow-up.ts';
import type { Quote } from '../models/quote.ts';
import { QuoteMessage } from '../models/quote-message.ts';
import { Tenant } from '../models/tenant.ts';
import type { TenantTransaction } from '../with-tenant.ts';
import { lockWaitingQuote } from './expiry-moments.ts';

/** Follow-ups of SENT quotes. As with the moments before the expiry, every race is decided here, under the quote's row lock. */

/** A quote that waits for its client, its business, and the reminder of its present version. */
export interface FollowedQuote {
  readonly quote: Quote;
  readonly tenant: Tenant;
  readonly remindAt: Date | null;
}

/** A follow-up as it was computed when its timer was set. */
export interface FollowUpMoment {
  readonly quoteId: string;
  readonly version: number;
  readonly day: number;
  readonly at: Date;
}

/** The follow-ups of a quote's present version. */
export interface FollowUps {
  /** Unclaimed, in order. */
  readonly due: readonly FollowUpTime[];
  /** The day of the one that is claimed and whose mail has not ended. */
  readonly mailOf: number | null;
}

/** Computes the times of the present version again. Claimed ones stay; a time that is past when it is first computed is none. */
export async function computeFollowUps(trx: TenantTransaction, followed: FollowedQuote): Promise<FollowUps> {
  const { quote, tenant } = followed;
  const { tenantId, id: quoteId, version } = quote;
  const rows = await FollowUp.query(trx).where({ tenantId, quoteId, version }).orderBy('day');
  const claimed = rows.filter(({ claimedAt }) => claimedAt !== null);
  const mailOf = claimed.find(({ mail }) => mail === 'PENDING')?.day ?? null;
  const unclaimed = rows.filter(({ claimedAt }) => claimedAt === null);
  if (unclaimed.length === 0 && tenant.followUpDays.length === 0) return { due: [], mailOf };

  // "Past" is relative to the time of the change, so that a worker's downtime makes no difference.
  const decidedAt = new Date(
    Math.max(...[quote.sharedAt, tenant.updatedAt, quote.updatedAt].map((at) => at?.getTime() ?? 0)),
  );
  const isStored = ({ day, at }: FollowUpTime) =>
    unclaimed.some((row) => row.day === day && row.dueAt.getTime() === at.getTime());
  const due = (await timesOf(trx, followed)).filter(
    (time) => !claimed.some(({ day }) => day === time.day) && (isStored(time) || time.at > decidedAt),
  );
  if (due.length === unclaimed.length && due.every(isStored)) return { due, mailOf };
  await FollowUp.query(trx).where({ tenantId, quoteId, version }).whereNull('claimedAt').delete();
  if (due.length > 0)
    await FollowUp.query(trx).insert(due.map(({ day, at }) => ({ tenantId, quoteId, version, day, dueAt: at })));
  return { due, mailOf };
}

/** The follow-ups that are still ahead, as the lifecycle shows them. Writes nothing. */
export async function upcomingFollowUps(
  trx: TenantTransaction,
  followed: FollowedQuote,
): Promise<readonly FollowUpTime[]> {
  const { quote, tenant } = followed;
  if (tenant.followUpDays.length === 0) return [];
  const { tenantId, id: quoteId, version } = quote;
  const claimed = await FollowUp.query(trx).where({ tenantId, quoteId, version }).whereNotNull('claimedAt');
  const days = new Set(claimed.map(({ day }) => day));
  return (await timesOf(trx, followed)).filter(({ day, at }) => !days.has(day) && at > new Date());
}

/**
 * Claims a follow-up whose time is still that of its timer; its mail is then due, or skipped: without the plan, and when a
 * worker was away so long that the next one, or the reminder, is due too.
 */
export async function claimFollowUp(
  trx: TenantTransaction,
  { quoteId, version, day, at }: FollowUpMoment,
): Promise<void> {
  const quote = await lockWaitingQuote(trx, quoteId);
  if (quote?.version !== version) return;
  const { tenantId } = quote;
  const tenant = await Tenant.query(trx).findById(tenantId).throwIfNotFound();
  const reminder = await ExpiryReminder.query(trx).findOne({ tenantId, quoteId, version });
  const times = await timesOf(trx, { quote, tenant, remindAt: reminder?.remindAt ?? null });
  // The next computation removes or moves it.
  if (!times.some((time) => time.day === day && time.at.getTime() === at.getTime())) return;
  const now = new Date();
  const next = await FollowUp.query(trx)
    .where({ tenantId, quoteId, version })
    .where('day', '>', day)
    .where('dueAt', '<=', now)
    .first();
  const remindAt = reminder?.remindAt ?? null;
  const isReminderDue = remindAt !== null && remindAt > at && remindAt <= now;
  const isDue = !next && !isReminderDue && hasFeature(tenant.plan, 'client_portal');
  await FollowUp.query(trx)
    .where({ tenantId, quoteId, version, day, dueAt: at })
    .whereNull('claimedAt')
    .patch({ claimedAt: now, mail: isDue ? 'PENDING' : 'SKIPPED' });
}

/** Whether the mail of a claimed follow-up is still right: nothing has happened since that makes it wrong. */
export async function isFollowUpDue(
  trx: TenantTransaction,
  { quote, tenant, remindAt, day }: FollowedQuote & { readonly day: number },
): Promise<boolean> {
  const { tenantId, id: quoteId, version } = quote;
  const row = await FollowUp.query(trx).findOne({ tenantId, quoteId, version, day, mail: 'PENDING' });
  if (!row?.claimedAt || !quote.sharedAt || quote.sharedAt > row.claimedAt) return false;
  if (isOnDayOf(remindAt, new Date(), tenant.timeZone)) return false;
  return hasFeature(tenant.plan, 'client_portal') && (await isUnanswered(trx, quote));
}

/** How the mail of a follow-up ended. The first ending stays. */
export async function closeFollowUpMail(
  trx: TenantTransaction,
  {
    tenantId,
    quoteId,
    version,
    day,
    mail,
  }: Required<Pick<FollowUp, 'tenantId' | 'quoteId' | 'version' | 'day'>> & {
    readonly mail: 'SENT' | 'FAILED' | 'SKIPPED';
  },
): Promise<void> {
  await FollowUp.query(trx).where({ tenantId, quoteId, version, day, mail: 'PENDING' }).patch({ mail });
}

async function timesOf(
  trx: TenantTransaction,
  { quote, tenant, remindAt }: FollowedQuote,
): Promise<readonly FollowUpTime[]> {
  const { sharedAt, expiresAt } = quote;
  const { followUpDays, timeZone } = tenant;
  if (!sharedAt || !(await isUnanswered(trx, quote))) return [];
  return followUpTimes({ sharedAt, followUpDays, timeZone, expiresAt, remindAt });
}

/** Whether the client has the present version, has not responded to it, and wants reminders. */
async function isUnanswered(trx: TenantTransaction, quote: Quote): Promise<boolean> {
  const { tenantId, id: quoteId, version, sharedAt, sharedVersion, linkWithheld, remindersStoppedAt } = quote;
  if (!sharedAt || sharedVersion !== version || linkWithheld || remindersStoppedAt) return false;
  const request = await QuoteMessage.query(trx)
    .where({ tenantId, quoteId, direction: 'inbound' })
    .where('createdAt', '>=', sharedAt)
    .first();
  return request === undefined;
}
