import type { Locale } from '../../domain/locale.ts';
import { Row } from './row.ts';

/** One row of `signatures`: how a client accepted a quote, with the evidence. Append-only by grant. */
export class Signature extends Row {
  static override readonly tableName = 'signatures';

  declare id: string;
  declare tenantId: string;
  declare quoteId: string;
  declare type: 'drawn' | 'typed';
  declare data: string | null; //       data URL of an image; in older rows the text that was typed, null = the name itself
  declare typedText: string | null; //  what was typed, which `data` shows; null = the name, or it was drawn
  declare look: string | null; //       JSON text of what only settings say of the document; null in older rows
  declare signerName: string;
  declare signerEmail: string;
  declare signedAt: Date;
  declare version: number; //           the quote's, that was signed
  declare snapshot: string; //          JSON text of what was signed
  declare snapshotSha256: string; //    hex, of that text
  declare pdfFileId: string; //         the frozen document
  declare pdfSha256: string; //         hex, of its bytes
  declare shownPdfSha256: string | null; // hex, of the PDF before it was signed; null when it was not kept yet
  declare consentText: string;
  declare consentLocale: Locale; //     the language of that text
  declare ip: string;
  declare userAgent: string;
}
