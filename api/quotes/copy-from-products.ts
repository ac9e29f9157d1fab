import { Product } from '../../db/models/product.ts';
import type { TenantTransaction } from '../../db/with-tenant.ts';
import { assertLineTextFits } from '../../domain/quote-size.ts';
import { splitCodes } from '../../domain/taxes.ts';
import type { CreateQuote } from './content-schema.ts';

type Line = CreateQuote['items'][number];

/** What a line may copy from its product. */
export type CopiedMembers = Pick<Product, 'unit' | 'taxes' | 'description'>;

/**
 * The lines with the members of their products that they do not give themselves; null and "" count as given. Throws a 400
 * if the lines then hold too much text.
 */
export function copiedFromProducts(
  items: readonly Line[],
  products: ReadonlyMap<string | null, Partial<CopiedMembers>>,
): readonly Line[] {
  const lines = items.map((item) => {
    const { unit = null, taxes = null, description = null } = products.get(item.productId ?? null) ?? {};
    return { unit, taxes: splitCodes(taxes), description, ...item };
  });
  assertLineTextFits(lines);
  return lines;
}

/** The same with products that are read first. */
export async function readAndCopy(
  trx: TenantTransaction,
  tenantId: string,
  items: readonly Line[],
): Promise<readonly Line[]> {
  const linked = items.flatMap(({ productId }) => productId || []);
  const products = await Product.query(trx)
    .select('id', 'unit', 'taxes', 'description')
    .where({ tenantId })
    .whereIn('id', linked);
  return copiedFromProducts(items, new Map(products.map((product) => [product.id, product])));
}
