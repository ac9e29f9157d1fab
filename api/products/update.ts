import { Product } from '../../db/models/product.ts';
import { recordAudit } from '../../db/writes/record-audit.ts';
import type { TenantTransaction } from '../../db/with-tenant.ts';
import { type Caller, memberActor } from '../../domain/caller.ts';
import { changesOf } from '../../domain/diff.ts';
import { productNotFound } from '../../domain/errors.ts';
import { decimalString } from '../../domain/money.ts';
import { productCurrency } from './currency.ts';
import type { UpdateProduct } from './schema.ts';

/** Changes a product. Lines of quotes that exist keep the price that they copied (decisions, section 4). */
export async function updateProduct(
  trx: TenantTransaction,
  caller: Caller,
  productId: string,
  body: UpdateProduct,
): Promise<Product> {
  const currency = body.currency === undefined ? undefined : await productCurrency(trx, caller, body.currency);
  const product = await lockProduct(trx, caller, productId);
  return change(trx, caller, product, {
    action: 'update',
    patch: {
      name: body.name,
      modelSku: orNull(body.modelSku),
      description: orNull(body.description),
      unitPrice: body.unitPrice === undefined ? undefined : decimalString(body.unitPrice),
      currency,
      isActive: body.isActive,
    },
  });
}

/** Takes a product out of the catalogue; quotes keep it. Doing so again changes nothing. */
export async function deactivateProduct(trx: TenantTransaction, caller: Caller, productId: string): Promise<void> {
  const product = await lockProduct(trx, caller, productId);
  await change(trx, caller, product, { action: 'delete', patch: { isActive: false } });
}

async function lockProduct(trx: TenantTransaction, { tenantId }: Caller, productId: string): Promise<Product> {
  const product = await Product.query(trx).findOne({ tenantId, id: productId }).forUpdate();
  if (!product) throw productNotFound();
  return product;
}

/** Writes what differs, with its audit entry. */
async function change(
  trx: TenantTransaction,
  caller: Caller,
  product: Product,
  { action, patch }: { action: 'update' | 'delete'; patch: Parameters<typeof changesOf<ProductFields>>[1] },
): Promise<Product> {
  const { tenantId, id } = product;
  // The column has six decimals whatever was given: "10.000000" and "10.00" are one price.
  const { name, modelSku, description, currency, isActive } = product;
  const was = { name, modelSku, description, currency, isActive, unitPrice: decimalString(product.unitPrice) };
  const changes = changesOf<ProductFields>(was, patch);
  if (!changes) return product;
  await Product.query(trx)
    .findOne({ tenantId, id })
    .patch({ ...changes.after, updatedAt: new Date() });
  await recordAudit(trx, memberActor(caller), { action, entity: 'product', entityId: id, metadata: changes });
  return Product.query(trx).findOne({ tenantId, id }).throwIfNotFound();
}

type ProductFields = Pick<Product, 'name' | 'modelSku' | 'description' | 'unitPrice' | 'currency' | 'isActive'>;

/** Null and "" both empty a member; an absent one stays. */
const orNull = (value: string | null | undefined): string | null | undefined => (value === '' ? null : value);
