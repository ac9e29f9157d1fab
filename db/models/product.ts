import { Row } from './row.ts';
import type { DecimalString } from '../../domain/money.ts';

/** A product of the catalogue. Lines of quotes copy its price. */
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
