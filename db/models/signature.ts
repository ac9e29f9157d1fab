import { Row } from './row.ts';

/** One row of `signatures`: how a client accepted a quote, with the evidence. Append-only by grant. */
export class Signature extends Row {
  static override readonly tableName = 'signatures';

  declare id: string;
  declare tenantId: string;
  declare quoteId: string;
  declare type: 'drawn' | 'typed';
  declare data: string | null; //       data URL of an image
  declare signerName: string;
  declare signerEmail: string;
  declare signedAt: Date;
  declare version: number; //           the quote's, that was signed
  declare snapshotSha256: string; //    hex
  declare pdfSha256: string; //         hex, of the frozen document
  declare consentText: string;
  declare ip: string;
  declare userAgent: string;
}
