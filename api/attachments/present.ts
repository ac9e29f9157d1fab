import type { QuoteAttachment } from '../../db/models/quote-attachment.ts';
import type { ResponseBody } from '../schema.ts';
import type { AttachmentBody, AttachmentOfVersion } from './schema.ts';

/** An attachment in responses about the quote. */
export const attachmentBody = (attachment: QuoteAttachment): ResponseBody<typeof AttachmentBody> => ({
  ...attachmentOfVersion(attachment),
  createdAt: attachment.createdAt.toISOString(),
});

/** An attachment in snapshots: what identifies its bytes. */
export const attachmentOfVersion = ({
  id,
  name,
  contentType,
  sizeBytes,
  sha256,
}: QuoteAttachment): ResponseBody<typeof AttachmentOfVersion> => ({
  id,
  name,
  contentType,
  sizeBytes,
  sha256,
});
