import { createHash } from 'node:crypto';
import { AttachmentRefused, attachmentTypeOf } from '../../adapters/attachment-type.ts';
import type { PermitRequest } from '../../adapters/fair-queue.ts';
import { ImageRefused } from '../../adapters/images/images.ts';
import { newId } from '../../db/ids.ts';
import { QuoteAttachment } from '../../db/models/quote-attachment.ts';
import { StoredFile } from '../../db/models/stored-file.ts';
import type { TenantTransaction } from '../../db/with-tenant.ts';
import {
  assertAttachmentsOpen,
  attachmentKey,
  attachmentName,
  type AttachmentType,
  MAX_ATTACHMENTS,
} from '../../domain/attachments.ts';
import type { Caller } from '../../domain/caller.ts';
import { attachmentRefused, attachmentTypeNotAllowed } from '../../domain/errors.ts';
import { fileTooLarge } from '../../domain/request-refusals.ts';
import type { Deps } from '../deps.ts';
import { findVisibleQuote } from '../quotes/queries.ts';
import type { IdempotentCall } from '../route.ts';
import { addAttachment, assertQuoteHasRoom } from './write.ts';

export interface AttachmentUpload {
  readonly quoteId: string;
  readonly file: Buffer;
  readonly filename: string;
  readonly call: IdempotentCall;
  readonly signal: AbortSignal;
}

/**
 * Checks and stores a file and attaches it to a quote. The row of the file comes first, then its object, then the
 * reference of the quote: whatever ends in between leaves a file without a reference, which housekeeping removes.
 */
export async function uploadAttachment(
  deps: Deps,
  caller: Caller,
  { quoteId, filename, call, signal, ...upload }: AttachmentUpload,
): Promise<QuoteAttachment> {
  const { tenantId } = caller;
  const contentType = await typeOf(upload.file);
  const done = await deps.withTenant(tenantId, async (trx) => {
    const quote = await findVisibleQuote(trx, caller, quoteId);
    // A repeated call whose first attempt committed has this id.
    const earlier = call.isRepeated && (await QuoteAttachment.query(trx).findOne({ tenantId, quoteId, id: call.id }));
    if (earlier) return earlier;
    // Checked here too, so that what is refused anyway is neither decoded nor stored.
    assertAttachmentsOpen(quote.status, caller.plan);
    assertQuoteHasRoom([...quote.attachments, { sizeBytes: 0 }]);
    return undefined;
  });
  if (done) return done;

  const file = await stored(deps, upload.file, contentType, { key: tenantId, signal });
  if (file.length > MAX_ATTACHMENTS.fileBytes) throw fileTooLarge();
  const sha256 = createHash('sha256').update(file).digest('hex');
  const facts = { contentType, sizeBytes: file.length, sha256 };
  const fileId = await deps.withTenant(tenantId, (trx) => recordFile(trx, tenantId, facts));
  await deps.storage.put(attachmentKey(tenantId, sha256), file, contentType);
  const attachment = { id: call.id, fileId, name: attachmentName(filename, contentType), ...facts };
  return deps.withTenant(tenantId, (trx) => addAttachment(deps, trx, caller, { quoteId, attachment }));
}

async function typeOf(file: Buffer): Promise<AttachmentType> {
  try {
    return await attachmentTypeOf(file);
  } catch (error) {
    throw error instanceof AttachmentRefused ? refusalOf(error) : error;
  }
}

/** The bytes to store: a PDF as it is, an image encoded again. */
async function stored(
  { images }: Pick<Deps, 'images'>,
  file: Buffer,
  type: AttachmentType,
  permit: PermitRequest,
): Promise<Buffer> {
  if (type === 'application/pdf') return file;
  try {
    return await images.attachment(file, type, permit);
  } catch (error) {
    throw error instanceof ImageRefused ? refusalOf(error) : error;
  }
}

const refusalOf = (error: AttachmentRefused | ImageRefused) =>
  error.reason === undefined ? attachmentTypeNotAllowed(error) : attachmentRefused(error.reason, error);

/**
 * The id of the file with this content. Its age starts again: housekeeping, which deletes old files without a
 * reference, waits for this row or is waited for, and then leaves the object alone.
 */
async function recordFile(
  trx: TenantTransaction,
  tenantId: string,
  { sha256, ...facts }: Pick<StoredFile, 'contentType' | 'sizeBytes' | 'sha256'>,
): Promise<string> {
  const storageKey = attachmentKey(tenantId, sha256);
  await StoredFile.query(trx)
    .insert({
      id: newId(),
      tenantId,
      kind: 'attachment',
      quoteId: null,
      storageKey,
      sha256,
      ...facts,
      createdAt: new Date(),
    })
    .onConflict(['tenantId', 'storageKey'])
    .merge(['createdAt']);
  const { id } = await StoredFile.query(trx).findOne({ tenantId, storageKey }).throwIfNotFound();
  return id;
}
