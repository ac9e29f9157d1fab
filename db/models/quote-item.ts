import { Model, type Pojo, type RelationMappings } from 'objection';
import { Row } from './row.ts';
import type { DecimalString } from '../../domain/money.ts';
import { Product } from './product.ts';

/** A line of a quote. */
export class QuoteItem extends Row {
  static override readonly tableName = 'quoteItems';

  declare id: string;
  declare tenantId: string;
  declare quoteId: string;
  declare position: number; //           from 0
  declare productId: string | null;
  declare productName: string;
  declare model: string | null;
  declare unitPrice: DecimalString; //   numeric(15,6)
  declare quantity: number; //           numeric(11,4), whole without a unit
  declare description: string | null;
  declare section: string | null;
  declare unit: string | null;
  declare taxes: string | null; //       codes, separated by commas; "" = untaxed, null = the default tax
  declare optional: boolean;
  declare choice: string | null; //      its group of alternatives
  declare counts: boolean;
  declare discountPct: DecimalString; // numeric(7,4), percent
  declare subtotal: DecimalString; //    numeric(18,3), the rounded line amount

  declare product?: Product | null;

  /** Up to eleven digits, so the number is exact. */
  override $parseDatabaseJson(row: Pojo): Pojo {
    const { quantity, ...rest } = super.$parseDatabaseJson(row);
    return { ...rest, ...(quantity !== undefined && { quantity: Number(quantity) }) };
  }

  static override readonly relationMappings: RelationMappings = {
    product: {
      relation: Model.BelongsToOneRelation,
      modelClass: Product,
      join: { from: ['quoteItems.tenantId', 'quoteItems.productId'], to: ['products.tenantId', 'products.id'] },
    },
  };
}
