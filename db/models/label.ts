import { Row } from './row.ts';

/** A word and a colour that a business puts on quotes. */
export class Label extends Row {
  static override readonly tableName = 'labels';

  declare id: string;
  declare tenantId: string;
  declare name: string; //   unique in the business, ignoring case
  declare color: string; //  #rrggbb, lower case
  declare createdAt: Date;
}
