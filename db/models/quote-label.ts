import { Row } from './row.ts';

/** One row of `quote_labels`: a label on a quote. */
export class QuoteLabel extends Row {
  static override readonly tableName = 'quoteLabels';
  static override readonly idColumn = ['tenantId', 'quoteId', 'labelId'];

  declare tenantId: string;
  declare quoteId: string;
  declare labelId: string;
  declare createdAt: Date;
}
