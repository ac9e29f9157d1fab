import { Label } from '../../db/models/label.ts';
import { Quote } from '../../db/models/quote.ts';
import { QuoteLabel } from '../../db/models/quote-label.ts';
import { markQuotesChanged } from '../../db/writes/mark-quotes-changed.ts';
import { recordAudit } from '../../db/writes/record-audit.ts';
import type { TenantTransaction } from '../../db/with-tenant.ts';
import { type Caller, memberActor } from '../../domain/caller.ts';
import { labelNotFound, quoteNotFound } from '../../domain/errors.ts';

export interface Labelling {
  readonly quoteId: string;
  readonly labelId: string;
}

/** Adds a label to a quote that the caller may see. Repeating it changes nothing. */
export async function addLabel(trx: TenantTransaction, caller: Caller, { quoteId, labelId }: Labelling): Promise<void> {
  const { quote, label } = await find(trx, caller, { quoteId, labelId });
  const { tenantId } = caller;
  if (await QuoteLabel.query(trx).findOne({ tenantId, quoteId, labelId })) return;
  await QuoteLabel.query(trx).insert({ tenantId, quoteId, labelId });
  await markQuotesChanged(trx, [quoteId]);
  await audit(trx, caller, quote, { labelAdded: { id: labelId, name: label.name } });
}

/** Removes a label from a quote that the caller may see. Repeating it changes nothing. */
export async function removeLabel(
  trx: TenantTransaction,
  caller: Caller,
  { quoteId, labelId }: Labelling,
): Promise<void> {
  const { quote, label } = await find(trx, caller, { quoteId, labelId });
  const removed = await QuoteLabel.query(trx).delete().where({ tenantId: caller.tenantId, quoteId, labelId });
  if (removed === 0) return;
  await markQuotesChanged(trx, [quoteId]);
  await audit(trx, caller, quote, { labelRemoved: { id: labelId, name: label.name } });
}

/** Locks the label, then the quote, in the order of `deleteLabel`. The quote's lock serializes requests for the same label. */
async function find(trx: TenantTransaction, caller: Caller, { quoteId, labelId }: Labelling) {
  // A shared lock: allows requests for other quotes, blocks the deletion of the label.
  const label = await Label.query(trx).findOne({ tenantId: caller.tenantId, id: labelId }).forShare();
  const quote = await Quote.query(trx).modify('visibleTo', caller).findOne('quotes.id', quoteId).forUpdate();
  if (!quote) throw quoteNotFound();
  if (!label) throw labelNotFound();
  return { quote, label };
}

const audit = (trx: TenantTransaction, caller: Caller, quote: Quote, change: object) =>
  recordAudit(trx, memberActor(caller), {
    action: 'update',
    entity: 'quote',
    entityId: quote.id,
    metadata: { quoteNumber: quote.quoteNumber, ...change },
  });
