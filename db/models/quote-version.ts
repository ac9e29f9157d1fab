import { Row } from './row.ts';

/** One row of `quote_versions`: a quote as it was before it was revised. Append-only by grant. */
export class QuoteVersion extends Row {
  static override readonly tableName = 'quoteVersions';

  declare id: string;
  declare tenantId: string;
  declare quoteId: string;
  declare version: number; //   the one in the snapshot
  declare snapshot: string; //  JSON text
  declare userId: string; //    who revised it
  declare createdAt: Date;
}
