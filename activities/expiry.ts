import { composeExpiryMail } from '../adapters/mail/expiry-mail.ts';
import { MailMaybeSent, MailRefused } from '../adapters/mail/failures.ts';
import { messageIdOf } from '../adapters/mail/quote-mail.ts';
import type { Mailer } from '../adapters/mail/transport.ts';
import { ExpiryReminder } from '../db/models/expiry-reminder.ts';
import { Quote } from '../db/models/quote.ts';
import { readQuoteDrawing } from '../db/reads/quote-drawing.ts';
import { announceExpiring, closeReminderMail, reckonMoments, takeReminder } from '../db/writes/expiry-moments.ts';
import type { TenantTransaction, WithTenant } from '../db/with-tenant.ts';
import type { QuoteRef } from '../workflows/contract.ts';
import { permanent } from './automation-action.ts';
import { orGiveUp } from './patience.ts';

/** What `expiryReminder` waits for. Times are ISO 8601. */
export interface ExpiryPlan {
  readonly quoteNumber: number;
  readonly version: number;
  readonly expiresAt: string;
  /** Null when this version's reminder went out, or is not to. */
  readonly remindAt: string | null;
  /** A reminder was taken and its mail is on the way still. */
  readonly mailWaits: boolean;
  /** 24 hours before the end; null when that was announced. */
  readonly expiringAt: string | null;
}

/** A moment of one version, as it was planned. */
export interface MomentRef extends QuoteRef {
  readonly version: number;
  /** ISO 8601. */
  readonly at: string;
}

export interface VersionRef extends QuoteRef {
  readonly version: number;
}

/** A reminder that comes a day late reminds of nothing. */
const GIVE_UP_AFTER_MS = 24 * 60 * 60 * 1000;

export interface ExpiryDeps {
  readonly withTenant: WithTenant;
  readonly mailer: Mailer;
  readonly mailFrom: string;
}

export const createExpiryActivities = ({ withTenant, mailer, mailFrom }: ExpiryDeps) => ({
  /** Reckons both moments from the record as it is now; undefined when the quote is not SENT or has expired. */
  async planExpiry({ tenantId, quoteId }: QuoteRef): Promise<ExpiryPlan | undefined> {
    const state = await withTenant(tenantId, (trx) => reckonMoments(trx, quoteId));
    if (!state) return undefined;
    const { quote, row, expiringAt } = state;
    return {
      quoteNumber: quote.quoteNumber,
      version: quote.version,
      expiresAt: quote.expiresAt.toISOString(),
      remindAt: row.remindedAt ? null : (row.remindAt?.toISOString() ?? null),
      mailWaits: row.mail === 'PENDING',
      expiringAt: row.announcedAt ? null : expiringAt.toISOString(),
    };
  },

  /** Notes that this version's reminder is under way and tells the creator; nothing when the moment has passed or moved. */
  async takeReminder({ tenantId, quoteId, version, at }: MomentRef): Promise<void> {
    await withTenant(tenantId, (trx) => takeReminder(trx, { quoteId, version, at: new Date(at) }));
  },

  /** Mails the reminder of a version, while it is still to be mailed and still true. */
  async sendExpiryMail({ tenantId, quoteId, version }: VersionRef): Promise<{ readonly mailed: boolean }> {
    try {
      const drawing = await withTenant(tenantId, async (trx) =>
        (await isMailDue(trx, { tenantId, quoteId, version })) ? readQuoteDrawing(trx, quoteId) : undefined,
      );
      if (!drawing?.client.email) return { mailed: false };
      await mailer.send(
        composeExpiryMail({ drawing, messageId: messageIdOf('expiry', `${quoteId}.v${version}`, mailFrom) }),
      );
      return { mailed: true };
    } catch (error) {
      if (error instanceof MailRefused) throw permanent('SmtpRefused', error.message, error);
      if (error instanceof MailMaybeSent) throw permanent('SmtpMaybeSent', error.message, error);
      throw orGiveUp(error, 'SmtpUnavailable', GIVE_UP_AFTER_MS);
    }
  },

  /** How the mail ended. */
  async closeExpiryMail(ref: VersionRef & { readonly mail: 'SENT' | 'FAILED' | 'SKIPPED' }): Promise<void> {
    await withTenant(ref.tenantId, (trx) => closeReminderMail(trx, ref));
  },

  /** QUOTE_EXPIRING, once for each version. */
  async announceExpiring({ tenantId, quoteId, version, at }: MomentRef): Promise<void> {
    await withTenant(tenantId, (trx) => announceExpiring(trx, { quoteId, version, at: new Date(at) }));
  },
});
export type ExpiryActivities = ReturnType<typeof createExpiryActivities>;

/** Answered, revised or expired meanwhile: no mail. */
async function isMailDue(trx: TenantTransaction, { tenantId, quoteId, version }: VersionRef): Promise<boolean> {
  const row = await ExpiryReminder.query(trx).findOne({ tenantId, quoteId, version, mail: 'PENDING' });
  const quote = await Quote.query(trx)
    .findOne({ tenantId, id: quoteId, version, status: 'SENT' })
    .where('expiresAt', '>', new Date());
  return row !== undefined && quote !== undefined;
}
