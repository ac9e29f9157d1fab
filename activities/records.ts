import { ExpiryReminder } from '../db/models/expiry-reminder.ts';
import { Quote } from '../db/models/quote.ts';
import { Tenant } from '../db/models/tenant.ts';
import { closeShare } from '../db/writes/close-share.ts';
import { upcomingFollowUps } from '../db/writes/follow-ups.ts';
import { markQuoteSent } from '../db/writes/mark-quote-sent.ts';
import type { TenantTransaction, WithTenant } from '../db/with-tenant.ts';
import { ServiceError } from '../domain/errors.ts';
import { expiryMoments } from '../domain/expiry.ts';
import { MOMENT_NAMES } from '../domain/moment-names.ts';
import type { LifecycleState, QuoteRef, ShareInput, UpcomingTimer } from '../workflows/contract.ts';
import { failures } from '../workflows/failures.ts';
import { currentExecution } from './current-execution.ts';
import { permanent } from './permanent-failure.ts';

export interface SentShare extends ShareInput {
  /** Positions of the recipients that the mail server refused; absent without any. */
  readonly rejected?: readonly number[];
}

/** Short steps in PostgreSQL. */
export const createRecordActivities = ({ withTenant }: { withTenant: WithTenant }) => ({
  /** What the lifecycle shows and waits by; undefined when there is no such quote. */
  async readLifecycleState({ tenantId, quoteId }: QuoteRef): Promise<LifecycleState | undefined> {
    return withTenant(tenantId, async (trx) => {
      const quote = await Quote.query(trx).findOne({ tenantId, id: quoteId });
      return (
        quote && {
          quoteNumber: quote.quoteNumber,
          status: quote.status,
          version: quote.version,
          expiresAt: quote.expiresAt.toISOString(),
          ...(quote.sharedAt && { sharedAt: quote.sharedAt.toISOString() }),
          upcoming: await upcomingOf(trx, quote),
        }
      );
    });
  },

  /** SENT, audit entry and events, in one transaction. Once for each share id. */
  async markQuoteSent({ quote, shareId, by, requestId, rejected }: SentShare): Promise<void> {
    const { tenantId } = quote;
    const actor = {
      tenantId,
      userId: by.userId,
      kind: by.kind,
      movesQuotesAs: 'mail',
      requestId,
      run: currentExecution(),
    } as const;
    try {
      await withTenant(tenantId, (trx) => markQuoteSent(trx, actor, quote.quoteId, shareId, rejected));
    } catch (error) {
      if (error instanceof ServiceError && error.kind === 'not_found') {
        throw permanent(failures.quoteGone, 'there is no such quote');
      }
      throw error;
    }
  },

  /** The share ended without a mail, so that the next call with the same content is a new share. */
  async closeShare({ quote, shareId }: ShareInput): Promise<void> {
    await withTenant(quote.tenantId, (trx) => closeShare(trx, shareId, null));
  },
});
export type RecordActivities = ReturnType<typeof createRecordActivities>;

/** The moments before a SENT quote's end that are still ahead, follow-ups included, the nearest first. */
async function upcomingOf(trx: TenantTransaction, quote: Quote): Promise<readonly UpcomingTimer[]> {
  if (quote.status !== 'SENT') return [];
  const { tenantId, id: quoteId, version, expiresAt } = quote;
  const tenant = await Tenant.query(trx).findById(tenantId).throwIfNotFound();
  const { reminderDaysBefore, timeZone } = tenant;
  const had = await ExpiryReminder.query(trx).findOne({ tenantId, quoteId, version });
  const { remindAt, expiringAt } = expiryMoments({ quoteId, expiresAt, reminderDaysBefore, timeZone });
  const claimed = had?.remindedAt ? had.remindAt : remindAt;
  const followUps = await upcomingFollowUps(trx, { quote, tenant, remindAt: claimed });
  return [
    ...followUps.map(({ at }) => ({ name: MOMENT_NAMES.followUp, time: at, isDone: null })),
    { name: MOMENT_NAMES.reminder, time: remindAt, isDone: had?.remindedAt },
    { name: MOMENT_NAMES.expiring, time: expiringAt, isDone: had?.announcedAt },
  ]
    .filter(({ time, isDone }) => !isDone && time > new Date())
    .toSorted((a, b) => a.time.getTime() - b.time.getTime())
    .map(({ name, time }) => ({ name, at: time.toISOString() }));
}
