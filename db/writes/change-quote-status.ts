import type { Actor } from '../../domain/caller.ts';
import { quoteNotFound } from '../../domain/errors.ts';
import { quotePayload } from '../../domain/events.ts';
import { assertCanMove, type QuoteStatus } from '../../domain/quote-status.ts';
import { Client } from '../models/client.ts';
import { Quote } from '../models/quote.ts';
import { type FullQuote, eventQuote, readFullQuote } from '../reads/full-quote.ts';
import type { TenantTransaction } from '../with-tenant.ts';
import { recordAudit } from './record-audit.ts';
import { type Cause, recordEvent } from './record-event.ts';

/** What a quote that is sent for the first time keeps: the client's names as they are now, and a link that is theirs. */
async function firstSending(trx: TenantTransaction, { tenantId, clientId }: Quote): Promise<Partial<Quote>> {
  const { contactName, companyName } = await Client.query(trx).findOne({ tenantId, id: clientId }).throwIfNotFound();
  return { clientContactName: contactName, clientCompanyName: companyName, linkWithheld: false };
}

/** The one way a status moves: member, mail, portal or automation. Who may see the quote was settled before. */
export async function changeQuoteStatus(
  trx: TenantTransaction,
  actor: Actor,
  quoteId: string,
  to: QuoteStatus,
  /** What else its audit entry says, and the chain of automations in which it happens. */
  { details = {}, cause }: { readonly details?: object; readonly cause?: Cause | undefined } = {},
): Promise<FullQuote> {
  const row = await Quote.query(trx).findOne({ tenantId: actor.tenantId, id: quoteId }).forUpdate();
  if (!row) throw quoteNotFound();
  const from = row.status;
  assertCanMove(actor.movesQuotesAs, from, to);
  await Quote.query(trx)
    .findOne({ tenantId: actor.tenantId, id: quoteId })
    .patch({ status: to, updatedAt: new Date(), ...(from === 'GENERATED' && (await firstSending(trx, row))) });

  const moved = await readFullQuote(trx, quoteId);
  if (!moved) throw quoteNotFound();
  await recordAudit(trx, actor, {
    action: 'status_change',
    entity: 'quote',
    entityId: quoteId,
    metadata: { quoteNumber: moved.quoteNumber, from, to, ...details },
  });
  await recordEvent(trx, {
    type: 'quote.status_changed',
    quoteId,
    data: { quote: quotePayload(eventQuote(moved)), previousStatus: from },
    requestId: actor.requestId,
    cause,
  });
  return moved;
}
