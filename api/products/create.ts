import { newId } from '../../db/ids.ts';
import { Product } from '../../db/models/product.ts';
import { recordAudit } from '../../db/writes/record-audit.ts';
import { recordEvent } from '../../db/writes/record-event.ts';
import type { TenantTransaction } from '../../db/with-tenant.ts';
import { type Caller, memberActor } from '../../domain/caller.ts';
import { decimalNumber, decimalString } from '../../domain/money.ts';
import { productCurrency } from './currency.ts';
import type { CreateProduct } from './schema.ts';

/** Creates a product with its audit entry and event. */
export async function createProduct(trx: TenantTransaction, caller: Caller, body: CreateProduct): Promise<Product> {
  const { tenantId, requestId } = caller;
  const currency = await productCurrency(trx, caller, body.currency);
  const product = await Product.query(trx).insertAndFetch({
    id: newId(),
    tenantId,
    name: body.name,
    modelSku: body.modelSku || null,
    description: body.description || null,
    unitPrice: decimalString(body.unitPrice),
    currency,
  });
  const { id, name, modelSku, description } = product;
  await recordAudit(trx, memberActor(caller), {
    action: 'create',
    entity: 'product',
    entityId: id,
    metadata: { name, modelSku, unitPrice: decimalString(product.unitPrice), currency },
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
