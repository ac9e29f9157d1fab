import { createHash } from 'node:crypto';
import { contentDisposition } from '../../adapters/content-disposition.ts';
import { isId } from '../../db/ids.ts';
import { QuoteAttachment } from '../../db/models/quote-attachment.ts';
import type { TenantTransaction } from '../../db/with-tenant.ts';
import { attachmentKey } from '../../domain/attachments.ts';
import type { Caller } from '../../domain/caller.ts';
import { attachmentNotFound, unavailable } from '../../domain/errors.ts';
import type { Deps } from '../deps.ts';
import { withPortalQuote } from '../portal/find.ts';
import { findVisibleQuote } from '../quotes/queries.ts';
import type { HandlerResult } from '../route.ts';

export interface AttachmentOfQuote {
  readonly quoteId: string;
  readonly attachmentId: string;
}

/** A file of a visible quote, also one of an earlier version. */
export async function downloadAttachment(
  deps: Deps,
  caller: Caller,
  { quoteId, attachmentId }: AttachmentOfQuote,
): Promise<HandlerResult<Buffer, 200>> {
  const attachment = await deps.withTenant(caller.tenantId, async (trx) => {
    const { id } = await findVisibleQuote(trx, caller, quoteId);
    return findAttachment(trx, caller.tenantId, { quoteId: id, attachmentId });
  });
  return served(deps, attachment);
}

/** A file of the version that the client's page shows. */
export async function downloadForClient(
  deps: Deps,
  { token, attachmentId }: { readonly token: string; readonly attachmentId: string },
): Promise<HandlerResult<Buffer, 200>> {
  const attachment = await withPortalQuote(deps, token, (_trx, { quote }) =>
    Promise.resolve(quote.attachments.find(({ id }) => id === attachmentId)),
  );
  if (!attachment) throw attachmentNotFound();
  return served(deps, attachment);
}

/** Throws a 404 if the quote never had it. */
export async function findAttachment(
  trx: TenantTransaction,
  tenantId: string,
  { quoteId, attachmentId }: AttachmentOfQuote,
): Promise<QuoteAttachment> {
  const attachment =
    isId(attachmentId) && (await QuoteAttachment.query(trx).findOne({ tenantId, quoteId, id: attachmentId }));
  if (!attachment) throw attachmentNotFound();
  return attachment;
}

/**
 * The stored bytes, as a download of the type that we found in them: a browser never shows a file of users in our
 * origin. Bytes that differ from the evidence are not served.
 */
async function served(
  { storage }: Pick<Deps, 'storage'>,
  { tenantId, sha256, name, contentType }: QuoteAttachment,
): Promise<HandlerResult<Buffer, 200>> {
  const file = await storage.get(attachmentKey(tenantId, sha256));
  if (createHash('sha256').update(file).digest('hex') !== sha256) {
    throw unavailable(new Error(`an attachment is altered in the storage: ${attachmentKey(tenantId, sha256)}`));
  }
  const headers = {
    'Content-Type': contentType,
    'Content-Disposition': contentDisposition('attachment', name),
    'Content-Security-Policy': "default-src 'none'; sandbox",
    'X-Content-Type-Options': 'nosniff',
    'X-Robots-Tag': 'noindex, nofollow',
    'Cache-Control': 'private, no-store',
  };
  return { status: 200, body: file, headers };
}
