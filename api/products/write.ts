import { newId } from '../../db/ids.ts';
import { Product } from '../../db/models/product.ts';
import type { TenantTransaction } from '../../db/with-tenant.ts';
import { recordAudit } from '../../db/writes/record-audit.ts';
import { recordEvent } from '../../db/writes/record-event.ts';
import { type Caller, memberActor } from '../../domain/caller.ts';
import { changesOf } from '../../domain/diff.ts';
import { productNotFound } from '../../domain/errors.ts';
import { decimalNumber, decimalString } from '../../domain/money.ts';
import { splitCodes } from '../../domain/taxes.ts';
import type { IfMatch } from '../entity-tag.ts';
import { assertProductCurrency, businessOfProduct, productTaxes } from './business.ts';
import { productTag } from './present.ts';
import type { CreateProduct, UpdateProduct } from './schema.ts';

/** Creates a product with its audit entry and event. */
export async function createProduct(trx: TenantTransaction, caller: Caller, body: CreateProduct): Promise<Product> {
  const { tenantId, requestId } = caller;
  const business = await businessOfProduct(trx, caller);
  assertProductCurrency(caller, body.currency, business.currency);
  const currency = body.currency ?? business.currency;
  const product = await Product.query(trx).insertAndFetch({
    id: newId(),
    tenantId,
    name: body.name,
    modelSku: body.modelSku || null,
    description: body.description || null,
    unitPrice: decimalString(body.unitPrice),
    currency,
    unit: body.unit || null,
    taxes: productTaxes(body.taxes, business),
  });
  const { id, name, modelSku, description, unit } = product;
  await recordAudit(trx, memberActor(caller), {
    action: 'create',
    entity: 'product',
    entityId: id,
    metadata: {
      name,
      modelSku,
      unitPrice: decimalString(product.unitPrice),
      currency,
      unit,
      taxes: splitCodes(product.taxes),
    },
  });
  await recordEvent(trx, {
    type: 'product.created',
    data: {
      product: { id, name, modelSku, description, unitPrice: decimalNumber(product.unitPrice), currency },
    },
    requestId,
  });
  return product;
}

/** Changes a product. Lines of existing quotes keep the price that they copied. */
export async function updateProduct(
  trx: TenantTransaction,
  caller: Caller,
  productId: string,
  { body, ifMatch }: { readonly body: UpdateProduct; readonly ifMatch: IfMatch | undefined },
): Promise<Product> {
  const { currency, taxes } = await checkedByBusiness(trx, caller, body);
  const product = await lockProduct(trx, caller, productId);
  ifMatch?.(productTag(product));
  return change(trx, caller, product, {
    action: 'update',
    patch: {
      name: body.name,
      modelSku: orNull(body.modelSku),
      description: orNull(body.description),
      unitPrice: body.unitPrice === undefined ? undefined : decimalString(body.unitPrice),
      currency,
      unit: orNull(body.unit),
      taxes,
      isActive: body.isActive,
    },
  });
}

/** The members of a patch that the currency, plan or tax table of the business may refuse. */
async function checkedByBusiness(trx: TenantTransaction, caller: Caller, { currency, taxes }: UpdateProduct) {
  if (currency === undefined && taxes === undefined) return { currency, taxes };
  const business = await businessOfProduct(trx, caller);
  assertProductCurrency(caller, currency, business.currency);
  return { currency, taxes: taxes === undefined ? undefined : productTaxes(taxes, business) };
}

/** Removes a product from the catalogue; existing quotes keep it. Repeating it changes nothing. */
export async function deactivateProduct(
  trx: TenantTransaction,
  caller: Caller,
  productId: string,
  ifMatch: IfMatch | undefined,
): Promise<void> {
  const product = await lockProduct(trx, caller, productId);
  ifMatch?.(productTag(product));
  await change(trx, caller, product, { action: 'delete', patch: { isActive: false } });
}

async function lockProduct(trx: TenantTransaction, { tenantId }: Caller, productId: string): Promise<Product> {
  const product = await Product.query(trx).findOne({ tenantId, id: productId }).forUpdate();
  if (!product) throw productNotFound();
  return product;
}

/** Writes the members that differ, with an audit entry. */
async function change(
  trx: TenantTransaction,
  caller: Caller,
  product: Product,
  { action, patch }: { action: 'update' | 'delete'; patch: Parameters<typeof changesOf<ProductFields>>[1] },
): Promise<Product> {
  const { tenantId, id } = product;
  // The column always has six decimals: "10.000000" equals "10.00".
  const { name, modelSku, description, currency, unit, taxes, isActive } = product;
  const was = {
    name,
    modelSku,
    description,
    currency,
    unit,
    taxes,
    isActive,
    unitPrice: decimalString(product.unitPrice),
  };
  const changes = changesOf<ProductFields>(was, patch);
  if (!changes) return product;
  await Product.query(trx)
    .findOne({ tenantId, id })
    .patch({ ...changes.after, updatedAt: new Date() });
  await recordAudit(trx, memberActor(caller), {
    action,
    entity: 'product',
    entityId: id,
    metadata: { before: readable(changes.before), after: readable(changes.after) },
  });
  return Product.query(trx).findOne({ tenantId, id }).throwIfNotFound();
}

type ProductFields = Pick<
  Product,
  'name' | 'modelSku' | 'description' | 'unitPrice' | 'currency' | 'unit' | 'taxes' | 'isActive'
>;

/** Members as reads show them. */
const readable = ({ taxes, ...rest }: Partial<ProductFields>) => ({
  ...rest,
  ...(taxes !== undefined && { taxes: splitCodes(taxes) }),
});

/** null and "" clear a member; an absent one is unchanged. */
const orNull = (value: string | null | undefined): string | null | undefined => (value === '' ? null : value);
