import { isId, newId } from '../../db/ids.ts';
import { Client } from '../../db/models/client.ts';
import { Product } from '../../db/models/product.ts';
import type { TenantTransaction } from '../../db/with-tenant.ts';
import { clientNotFound, productNotFound } from '../../domain/errors.ts';
import type { PricedQuote } from './pricing.ts';

/** The client that a quote is made for. Throws the 404 for one that is missing, inactive or of another business. */
export async function activeClient(trx: TenantTransaction, tenantId: string, clientId: string): Promise<Client> {
  const client = isId(clientId) && (await Client.query(trx).findOne({ tenantId, id: clientId, isActive: true }));
  if (!client) throw clientNotFound();
  return client;
}

/** A line may link to a product of the same business; one query for all lines. */
export async function assertProductsExist(
  trx: TenantTransaction,
  tenantId: string,
  { items }: { readonly items: readonly { readonly productId: string | null }[] },
): Promise<void> {
  const linked = new Set(items.flatMap(({ productId }) => productId ?? []));
  if (linked.size === 0) return;
  const found = await Product.query(trx)
    .where({ tenantId })
    .whereIn('id', [...linked])
    .resultSize();
  if (found < linked.size) throw productNotFound();
}

export async function insertLines(
  trx: TenantTransaction,
  quote: { readonly tenantId: string; readonly quoteId: string },
  { items }: PricedQuote,
): Promise<void> {
  await trx('quoteItems').insert(items.map((item, position) => ({ id: newId(), ...quote, position, ...item })));
}
