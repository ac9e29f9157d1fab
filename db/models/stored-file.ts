import { Row } from './row.ts';

/** An object in storage that belongs to a tenant. */
export class StoredFile extends Row {
  static override readonly tableName = 'files';

  declare id: string;
  declare tenantId: string;
  declare kind: 'quote_pdf' | 'signed_pdf' | 'logo' | 'attachment';
  declare quoteId: string | null;
  declare storageKey: string; //     t/<tenant>/…
  declare contentType: string;
  declare sizeBytes: number;
  declare sha256: string; //         hex
  declare createdAt: Date;
}
