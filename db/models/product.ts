import { Row } from './row.ts';
import type { DecimalString } from '../../domain/money.ts';

/** One row of `products`: the catalogue. A quote's line copies the price. */
export class Product extends Row {
  static override readonly tableName = 'products';

  declare id: string;
  declare tenantId: string;
  declare name: string;
  declare modelSku: string | null;
  declare description: string | null;
  declare unitPrice: DecimalString; //  numeric(15,6)
  declare currency: string;
  declare isActive: boolean;
  declare createdAt: Date;
  declare updatedAt: Date;
}
