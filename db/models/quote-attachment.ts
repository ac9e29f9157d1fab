import type { AttachmentType } from '../../domain/attachments.ts';
import { Row } from './row.ts';

/** A file of a quote, from one version of it to another. */
export class QuoteAttachment extends Row {
  static override readonly tableName = 'quoteAttachments';

  declare id: string;
  declare tenantId: string;
  declare quoteId: string;
  declare fileId: string;
  declare position: number; //            order in lists, from 0
  declare name: string; //                cleaned, at most 120 code points
  declare contentType: AttachmentType; // of the stored bytes
  declare sizeBytes: number;
  declare sha256: string; //              hex; the storage key follows from it
  declare fromVersion: number; //         first version of the quote with it
  declare untilVersion: number | null; // last one; null while the current version has it
  declare createdAt: Date;
}
