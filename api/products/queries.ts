import { Product } from '../../db/models/product.ts';
import { NEWEST, type PageQuery, readPage } from '../../db/reads/keyset.ts';
import { anyContains } from '../../db/reads/search.ts';
import type { TenantTransaction } from '../../db/with-tenant.ts';
import { productNotFound } from '../../domain/errors.ts';
import type { ListProducts } from './schema.ts';

const SEARCHED = ['products.name', 'products.modelSku', 'products.description'] as const;

/** One page of the catalogue, newest first. */
export function listProducts(trx: TenantTransaction, tenantId: string, query: ListProducts & Pick<PageQuery, 'after'>) {
  const { search, active } = query;
  const matching = Product.query(trx)
    .where('products.tenantId', tenantId)
    .modify((builder) => {
      if (active !== undefined) void builder.where('products.isActive', active);
      if (search) void builder.whereRaw(...anyContains(SEARCHED, search));
    });
  return readPage(matching, NEWEST, query);
}

/** Finds a product of the business, active or not; throws a 404. */
export async function findProduct(trx: TenantTransaction, tenantId: string, productId: string): Promise<Product> {
  const product = await Product.query(trx).findOne({ tenantId, id: productId });
  if (!product) throw productNotFound();
  return product;
}
