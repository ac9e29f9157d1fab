import type { Locale } from '../../domain/locale.ts';
import { Row } from './row.ts';

/** A client's signature of a quote, with the evidence. Append-only by grant. */
export class Signature extends Row {
  static override readonly tableName = 'signatures';

  declare id: string;
  declare tenantId: string;
  declare quoteId: string;
  declare type: 'drawn' | 'typed';
  declare data: string | null; //       data URL of an image; in older rows the typed text, null = the signer's name
  declare typedText: string | null; //  the typed text, which `data` shows; null = the signer's name, or drawn
  declare look: string | null; //       JSON text of the part that comes from settings; null in older rows
  declare signerName: string;
  declare signerEmail: string;
  declare signedAt: Date;
  declare version: number; //           version of the quote that was signed
  declare selection: string | null; //  JSON: SelectionEvidence; null = no options to select
  declare snapshot: string; //          JSON text of what was signed
  declare snapshotSha256: string; //    hex, of that text
  declare pdfFileId: string; //         the frozen document
  declare pdfSha256: string; //         hex, of its bytes
  declare shownPdfSha256: string | null; // hex, of the PDF before it was signed; null in rows from before it was stored
  declare consentText: string;
  declare consentLocale: Locale; //     the language of that text
  declare ip: string;
  declare userAgent: string;
}
