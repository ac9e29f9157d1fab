import type { Actor } from '../../domain/caller.ts';
import { quoteNotFound } from '../../domain/errors.ts';
import { quotePayload } from '../../domain/events.ts';
import { canMove } from '../../domain/quote-status.ts';
import { OutboxEvent } from '../models/outbox-event.ts';
import { Quote } from '../models/quote.ts';
import { eventQuote, readFullQuote } from '../reads/full-quote.ts';
import type { TenantTransaction } from '../with-tenant.ts';
import { closeShare } from './close-share.ts';
import { changeQuoteStatus } from './change-quote-status.ts';
import { recordAudit } from './record-audit.ts';
import { recordEvent } from './record-event.ts';

/**
 * The mail server took the quote's mail: GENERATED becomes SENT, any other status stays, and quote.sent is recorded.
 * Safe to repeat with the same share id, which is the id of that event.
 */
export async function markQuoteSent(
  trx: TenantTransaction,
  actor: Actor,
  quoteId: string,
  shareId: string,
  /** Positions of the recipients that the server refused. */
  rejected: readonly number[] = [],
): Promise<void> {
  const row = await Quote.query(trx).findOne({ tenantId: actor.tenantId, id: quoteId }).forUpdate();
  if (!row) throw quoteNotFound();
  const recorded = await OutboxEvent.query(trx).findOne({ tenantId: actor.tenantId, id: shareId });
  if (recorded) return;
  await closeShare(trx, shareId, rejected);

  if (canMove(actor.movesQuotesAs, row.status, 'SENT')) await changeQuoteStatus(trx, actor, quoteId, 'SENT');
  await Quote.query(trx)
    .findOne({ tenantId: actor.tenantId, id: quoteId })
    .patch({ linkWithheld: false, sharedAt: new Date(), sharedVersion: row.version, shareId });
  const quote = await readFullQuote(trx, quoteId);
  if (!quote) throw quoteNotFound();
  await recordAudit(trx, actor, {
    action: 'share',
    entity: 'quote',
    entityId: quoteId,
    metadata: { quoteNumber: quote.quoteNumber, version: quote.version },
  });
  await recordEvent(trx, {
    id: shareId,
    type: 'quote.sent',
    quoteId,
    data: { quote: quotePayload(eventQuote(quote)) },
    requestId: actor.requestId,
  });
}
