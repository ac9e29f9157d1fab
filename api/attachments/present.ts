import type { QuoteAttachment } from '../../db/models/quote-attachment.ts';

/** An attachment in responses about the quote. */
export const attachmentBody = (attachment: QuoteAttachment) => ({
  ...attachmentOfVersion(attachment),
  createdAt: attachment.createdAt.toISOString(),
});

/** An attachment in snapshots: what identifies its bytes. */
export const attachmentOfVersion = ({ id, name, contentType, sizeBytes, sha256 }: QuoteAttachment) => ({
  id,
  name,
  contentType,
  sizeBytes,
  sha256,
});
