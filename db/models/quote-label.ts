import { Row } from './row.ts';

/** A label on a quote. */
export class QuoteLabel extends Row {
  static override readonly tableName = 'quoteLabels';
  static override readonly idColumn = ['tenantId', 'quoteId', 'labelId'];

  declare tenantId: string;
  declare quoteId: string;
  declare labelId: string;
  declare createdAt: Date;
}
