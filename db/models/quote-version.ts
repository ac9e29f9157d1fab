import { Row } from './row.ts';

/** A quote as it was before a revision. Append-only by grant. */
export class QuoteVersion extends Row {
  static override readonly tableName = 'quoteVersions';

  declare id: string;
  declare tenantId: string;
  declare quoteId: string;
  declare version: number; //   the version in the snapshot
  declare snapshot: string; //  JSON text
  declare userId: string; //    the member who revised it
  declare createdAt: Date;
}
