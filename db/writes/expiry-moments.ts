import { ref } from 'objection';
import { quotePayload } from '../../domain/events.ts';
import { type ExpiryMoments, expiryMoments } from '../../domain/expiry.ts';
import { formatUntil } from '../../domain/format.ts';
import { DEFAULT_LOCALE } from '../../domain/locale.ts';
import { displayNumber } from '../../domain/quote-number.ts';
import { ExpiryReminder } from '../models/expiry-reminder.ts';
import { Quote } from '../models/quote.ts';
import { Tenant } from '../models/tenant.ts';
import { eventQuote, readFullQuote } from '../reads/full-quote.ts';
import { tenantOf, type TenantTransaction } from '../with-tenant.ts';
import { memberOrOwners, notify } from './notify.ts';
import { recordEvent } from './record-event.ts';

/**
 * The two moments before a SENT quote expires. Every race is decided here, under the quote's row
 * lock: a timer that fires late, twice or for a version that is gone changes nothing.
 */

/** A moment as it was computed when its timer was set. */
export interface Moment {
  readonly quoteId: string;
  readonly version: number;
  readonly at: Date;
}

/** A quote that waits for its moments, and what its present version had of them. */
export interface ExpiryState {
  readonly quote: Quote;
  readonly tenant: Tenant;
  readonly row: ExpiryReminder;
  readonly expiringAt: Date;
}

/** Computes the moments of the present version again; undefined when the quote is not SENT, or has expired. */
export async function computeMoments(trx: TenantTransaction, quoteId: string): Promise<ExpiryState | undefined> {
  const quote = await lockWaitingQuote(trx, quoteId);
  if (!quote) return undefined;
  const { tenantId, version, expiresAt } = quote;
  const tenant = await Tenant.query(trx).findById(tenantId).throwIfNotFound();
  const { remindAt, expiringAt } = momentsOf(quote, tenant);

  const before = await ExpiryReminder.query(trx).findOne({ tenantId, quoteId, version });
  const isSameExpiry = before?.expiresAt.getTime() === expiresAt.getTime();
  const isSame =
    isSameExpiry && before?.reminderDays === tenant.reminderDaysBefore && before.timeZone === tenant.timeZone;
  if (before && (isSame || before.remindedAt)) return { quote, tenant, row: before, expiringAt };

  // "Still ahead" is relative to the time of the change, so that a worker's downtime makes no difference.
  const decidedAt = isSameExpiry ? tenant.updatedAt : quote.updatedAt;
  const computed = {
    expiresAt,
    reminderDays: tenant.reminderDaysBefore,
    timeZone: tenant.timeZone,
    remindAt: remindAt > decidedAt ? remindAt : null,
  };
  const row = before
    ? await before.$query(trx).patchAndFetch(computed)
    : await ExpiryReminder.query(trx).insertAndFetch({ tenantId, quoteId, version, ...computed });
  return { quote, tenant, row, expiringAt };
}

/**
 * Claims the reminder to the client, and notifies the creator in the same transaction. False when the reminder no
 * longer applies: not SENT, another version, another moment, or claimed before.
 */
export async function claimReminder(trx: TenantTransaction, { quoteId, version, at }: Moment): Promise<boolean> {
  const quote = await lockWaitingQuote(trx, quoteId);
  if (quote?.version !== version) return false;
  const { tenantId, userId, quoteNumber, expiresAt } = quote;
  const tenant = await Tenant.query(trx).findById(tenantId).throwIfNotFound();
  const claimed = await ExpiryReminder.query(trx)
    .where({ tenantId, quoteId, version, remindAt: at })
    .whereNull('remindedAt')
    .patch({ remindedAt: new Date(), mail: 'PENDING' });
  if (claimed === 0) return false;
  await notify(trx, await memberOrOwners(trx, userId), {
    type: 'quote_expiring',
    title: `${displayNumber(quote)} vence el ${formatUntil(expiresAt.toISOString(), { timeZone: tenant.timeZone, locale: DEFAULT_LOCALE })}`,
    body: 'Sigue sin respuesta. Se le recuerda al cliente por correo, si tiene uno.',
    metadata: { quoteId, quoteNumber },
    about: `expiry.${quoteId}.v${version}`,
  });
  return true;
}

/** How the reminder's mail ended. The first ending stays. */
export async function closeReminderMail(
  trx: TenantTransaction,
  { quoteId, version, mail }: { quoteId: string; version: number; mail: 'SENT' | 'FAILED' | 'SKIPPED' },
): Promise<void> {
  await ExpiryReminder.query(trx)
    .where({ tenantId: tenantOf(trx), quoteId, version, mail: 'PENDING' })
    .patch({ mail });
}

/** A SENT quote, expired or not, of whose present expiry quote.expired was not recorded. */
export const findUnannouncedExpiry = (trx: TenantTransaction, quoteId: string): Promise<Quote | undefined> =>
  Quote.query(trx)
    .findOne({ tenantId: tenantOf(trx), id: quoteId, status: 'SENT' })
    .where((which) => void which.whereNull('announcedExpiry').orWhereColumn('announcedExpiry', '<>', 'expiresAt'))
    .forUpdate()
    .then((quote) => quote);

/** Records quote.expired, once for each expiry; nothing when the quote is not SENT or expires at another time. */
export async function announceExpired(
  trx: TenantTransaction,
  { quoteId, at }: Pick<Moment, 'quoteId' | 'at'>,
): Promise<void> {
  const quote = await findUnannouncedExpiry(trx, quoteId);
  if (quote?.expiresAt.getTime() !== at.getTime()) return;
  await Quote.query(trx)
    .findOne({ tenantId: quote.tenantId, id: quoteId })
    // As stored: a Date would lose microseconds.
    .patch({ announcedExpiry: ref('expiresAt') });
  await recordQuoteEvent(trx, 'quote.expired', quoteId);
}

/** Records quote.expiring, once for each version; nothing when the quote is not SENT or expires at another time. */
export async function announceExpiring(trx: TenantTransaction, { quoteId, version, at }: Moment): Promise<void> {
  const quote = await lockWaitingQuote(trx, quoteId);
  if (quote?.version !== version) return;
  const { tenantId } = quote;
  const tenant = await Tenant.query(trx).findById(tenantId).throwIfNotFound();
  if (momentsOf(quote, tenant).expiringAt.getTime() !== at.getTime()) return;
  const claimed = await ExpiryReminder.query(trx)
    .where({ tenantId, quoteId, version })
    .whereNull('announcedAt')
    .patch({ announcedAt: new Date() });
  if (claimed === 0) return;
  await recordQuoteEvent(trx, 'quote.expiring', quoteId);
}

async function recordQuoteEvent(
  trx: TenantTransaction,
  type: 'quote.expiring' | 'quote.expired',
  quoteId: string,
): Promise<void> {
  const full = await readFullQuote(trx, quoteId);
  if (!full) return;
  await recordEvent(trx, { type, quoteId, data: { quote: quotePayload(eventQuote(full)) }, requestId: null });
}

const momentsOf = ({ id: quoteId, expiresAt }: Quote, { reminderDaysBefore, timeZone }: Tenant): ExpiryMoments =>
  expiryMoments({ quoteId, expiresAt, reminderDaysBefore, timeZone });

/** The quote, locked, while it is SENT and has not expired. */
export const lockWaitingQuote = (trx: TenantTransaction, quoteId: string): Promise<Quote | undefined> =>
  Quote.query(trx)
    .findOne({ tenantId: tenantOf(trx), id: quoteId, status: 'SENT' })
    .where('expiresAt', '>=', new Date())
    .forUpdate()
    .then((quote) => quote);
