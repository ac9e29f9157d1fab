import { raw } from 'objection';
import { QuoteAttachment } from '../../db/models/quote-attachment.ts';
import { Quote } from '../../db/models/quote.ts';
import { Tenant } from '../../db/models/tenant.ts';
import type { FullQuote } from '../../db/reads/full-quote.ts';
import { recordAudit } from '../../db/writes/record-audit.ts';
import type { TenantTransaction } from '../../db/with-tenant.ts';
import { assertAttachmentsOpen, MAX_ATTACHMENTS } from '../../domain/attachments.ts';
import { type Caller, memberActor } from '../../domain/caller.ts';
import {
  attachmentNotFound,
  attachmentQuotaReached,
  attachmentsTooLarge,
  tooManyAttachments,
} from '../../domain/errors.ts';
import type { Deps } from '../deps.ts';
import { lockVisibleQuote } from '../quotes/queries.ts';
import type { AttachmentOfQuote } from './read.ts';

/** Throws a 409 if these are too many attachments of one quote, or too large together. */
export function assertQuoteHasRoom(attachments: readonly Pick<QuoteAttachment, 'sizeBytes'>[]): void {
  if (attachments.length > MAX_ATTACHMENTS.count) throw tooManyAttachments();
  const bytes = attachments.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0);
  if (bytes > MAX_ATTACHMENTS.quoteBytes) throw attachmentsTooLarge();
}

type NewAttachment = Pick<QuoteAttachment, 'id' | 'fileId' | 'name' | 'contentType' | 'sizeBytes' | 'sha256'>;

/** Attaches a stored file to the current version of a quote, after its other attachments. */
export async function addAttachment(
  { config }: Pick<Deps, 'config'>,
  trx: TenantTransaction,
  caller: Caller,
  { quoteId, attachment }: { readonly quoteId: string; readonly attachment: NewAttachment },
): Promise<QuoteAttachment> {
  const { tenantId, plan } = caller;
  // Concurrent uploads to one quote meet at its lock.
  const quote = await lockVisibleQuote(trx, caller, quoteId);
  assertAttachmentsOpen(quote.status, plan);
  assertQuoteHasRoom([...quote.attachments, attachment]);
  const added = await QuoteAttachment.query(trx).insertAndFetch({
    ...attachment,
    tenantId,
    quoteId,
    position: (quote.attachments.at(-1)?.position ?? -1) + 1,
    fromVersion: quote.version,
    untilVersion: null,
  });
  const megabytes = plan === 'PRO' ? config.ATTACHMENTS_PRO_MB : config.ATTACHMENTS_FREE_MB;
  await assertWithinQuota(trx, tenantId, megabytes * 1024 * 1024);
  await recordChange(trx, caller, quote, { attachmentAdded: summaryOf(added) });
  return added;
}

/** Throws a 409 if the files of all quotes are too large together. Shared files count once. */
async function assertWithinQuota(trx: TenantTransaction, tenantId: string, maxBytes: number): Promise<void> {
  // Concurrent uploads to several quotes meet here: the second counts what the first has committed.
  await Tenant.query(trx).findById(tenantId).forNoKeyUpdate();
  const { rows } = await trx.raw<{ rows: { bytes: string }[] }>(
    `select coalesce(sum(size_bytes), 0) as bytes from files f where tenant_id = ? and kind = 'attachment' and exists
       (select from quote_attachments a where a.tenant_id = f.tenant_id and a.file_id = f.id)`,
    [tenantId],
  );
  if (Number(rows[0]?.bytes) > maxBytes) throw attachmentQuotaReached();
}

/** Removes an attachment from the current version. Snapshots of earlier versions keep it. */
export async function removeAttachment(
  trx: TenantTransaction,
  caller: Caller,
  { quoteId, attachmentId }: AttachmentOfQuote,
): Promise<void> {
  const quote = await lockVisibleQuote(trx, caller, quoteId);
  const attachment = quote.attachments.find(({ id }) => id === attachmentId);
  if (!attachment) throw attachmentNotFound();
  assertAttachmentsOpen(quote.status, caller.plan);
  const row = QuoteAttachment.query(trx).findOne({ tenantId: quote.tenantId, id: attachmentId });
  await (attachment.fromVersion === quote.version ? row.delete() : row.patch({ untilVersion: quote.version - 1 }));
  await recordChange(trx, caller, quote, { attachmentRemoved: summaryOf(attachment) });
}

const summaryOf = ({ id, name, sha256, sizeBytes }: QuoteAttachment) => ({ id, name, sha256, sizeBytes });

async function recordChange(trx: TenantTransaction, caller: Caller, quote: FullQuote, change: object): Promise<void> {
  const { id, tenantId, quoteNumber } = quote;
  await Quote.query(trx)
    .findOne({ tenantId, id })
    .patch({ updatedAt: new Date(), revision: raw('revision + 1') });
  const metadata = { quoteNumber, ...change };
  await recordAudit(trx, memberActor(caller), { action: 'update', entity: 'quote', entityId: id, metadata });
}
