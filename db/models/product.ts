import { Row } from './row.ts';
import type { DecimalString } from '../../domain/money.ts';

/** A product of the catalogue. Lines of quotes copy its price, and on request its unit, taxes and description. */
export class Product extends Row {
  static override readonly tableName = 'products';

  declare id: string;
  declare tenantId: string;
  declare name: string;
  declare modelSku: string | null;
  declare description: string | null;
  declare unitPrice: DecimalString; //  numeric(15,6)
  declare currency: string;
  declare unit: string | null;
  declare taxes: string | null; //      codes, separated by commas; "" = untaxed, null = the default tax
  declare isActive: boolean;
  declare createdAt: Date;
  declare updatedAt: Date;
  declare revision: number; // rises with each change (db/row-revision.ts)
}
