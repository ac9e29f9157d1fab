import { newId } from '../../db/ids.ts';
import { QuoteAttachment } from '../../db/models/quote-attachment.ts';
import { Quote } from '../../db/models/quote.ts';
import type { FullQuote } from '../../db/reads/full-quote.ts';
import type { TenantTransaction } from '../../db/with-tenant.ts';
import type { Caller } from '../../domain/caller.ts';
import { attachmentNotFound } from '../../domain/errors.ts';
import { assertQuoteHasRoom } from './write.ts';

/** References to the same files for another quote, or for a later version. No file is copied. */
function copies(attachments: readonly QuoteAttachment[], quote: { quoteId: string; fromVersion: number }) {
  return attachments.map(({ tenantId, fileId, name, contentType, sizeBytes, sha256 }) => ({
    id: newId(),
    tenantId,
    fileId,
    name,
    contentType,
    sizeBytes,
    sha256,
    position: 0,
    untilVersion: null,
    createdAt: new Date(),
    ...quote,
  }));
}

/** Attaches the files of a quote to its duplicate. */
export async function copyAttachments(
  trx: TenantTransaction,
  { attachments }: Pick<FullQuote, 'attachments'>,
  quoteId: string,
): Promise<readonly QuoteAttachment[]> {
  const rows = copies(attachments, { quoteId, fromVersion: 1 }).map((row, position) => ({ ...row, position }));
  return rows.length === 0 ? [] : QuoteAttachment.query(trx).insert(rows);
}

/**
 * Gives the next version of a locked quote these attachments, in their order; without `ids` those that it has. An id may
 * be one of an earlier version or of another quote that the caller sees: the file is shared.
 */
export async function reviseAttachments(
  trx: TenantTransaction,
  caller: Caller,
  { before, ids }: { readonly before: FullQuote; readonly ids: readonly string[] | undefined },
): Promise<void> {
  if (ids === undefined) return;
  const { tenantId, id: quoteId, version } = before;
  const chosen = await visibleAttachments(trx, caller, ids);
  assertQuoteHasRoom(chosen);
  const isKept = (one: QuoteAttachment) => one.quoteId === quoteId && one.untilVersion === null;
  const kept = new Set(chosen.filter(isKept).map(({ id }) => id));
  const current = before.attachments.map(({ id }) => id);
  await QuoteAttachment.query(trx)
    .where({ tenantId, quoteId })
    .whereIn(
      'id',
      current.filter((id) => !kept.has(id)),
    )
    .patch({ untilVersion: version });
  for (const [position, attachment] of chosen.entries()) {
    if (isKept(attachment)) {
      await QuoteAttachment.query(trx).findOne({ tenantId, id: attachment.id }).patch({ position });
    } else {
      const [copy] = copies([attachment], { quoteId, fromVersion: version + 1 });
      if (copy) await QuoteAttachment.query(trx).insert({ ...copy, position });
    }
  }
}

/** In the order of the ids. Throws a 404 if one is missing, or of a quote that the caller does not see. */
async function visibleAttachments(
  trx: TenantTransaction,
  caller: Caller,
  ids: readonly string[],
): Promise<readonly QuoteAttachment[]> {
  const { tenantId } = caller;
  const found = await QuoteAttachment.query(trx)
    .where({ tenantId })
    .whereIn('id', [...ids])
    .whereIn('quoteId', Quote.query(trx).modify('visibleTo', caller).select('quotes.id'));
  return ids.map((id) => {
    const attachment = found.find((one) => one.id === id);
    if (!attachment) throw attachmentNotFound();
    return attachment;
  });
}
