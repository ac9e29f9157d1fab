import { type NamedStatement, sendAtOnce } from '../../db/at-once.ts';
import { isId, newId } from '../../db/ids.ts';
import { Client } from '../../db/models/client.ts';
import { Product } from '../../db/models/product.ts';
import type { TenantTransaction } from '../../db/with-tenant.ts';
import { clientNotFound, productNotFound } from '../../domain/errors.ts';
import type { PricedQuote } from './pricing.ts';

/** Finds the client for a quote. Throws a 404 if it is missing, inactive or of another business. */
export async function activeClient(trx: TenantTransaction, tenantId: string, clientId: string): Promise<Client> {
  const client = isId(clientId) && (await Client.query(trx).findOne({ tenantId, id: clientId, isActive: true }));
  if (!client) throw clientNotFound();
  return client;
}

/** Throws a 404 if a line links to a product that is missing or of another business. One query for all lines. */
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

/** A line as a row. */
export type StoredLine = PricedQuote['items'][number] & { readonly id: string };

export async function insertLines(
  trx: TenantTransaction,
  quote: { readonly tenantId: string; readonly quoteId: string },
  { items }: PricedQuote,
): Promise<void> {
  const lines = items.map((item) => ({ id: newId(), ...item }));
  await sendAtOnce(trx, [storedLines(quote, lines)]);
}

/**
 * Inserts lines as one statement of a pipeline. Columns are arrays, so that the text is the same for any number of
 * lines.
 */
export function storedLines(
  { tenantId, quoteId }: { readonly tenantId: string; readonly quoteId: string },
  lines: readonly StoredLine[],
): NamedStatement {
  const column = <K extends keyof StoredLine>(name: K) => lines.map((line) => line[name]);
  return {
    name: 'insert-quote-lines',
    text: `insert into quote_items (tenant_id, quote_id, position, id, product_id, product_name, model, unit_price, quantity,
        discount_pct, subtotal)
      select $1, $2, ordinality - 1, id, product_id, product_name, model, unit_price, quantity, discount_pct, subtotal
      from unnest($3::text[], $4::text[], $5::text[], $6::text[], $7::numeric[], $8::integer[], $9::numeric[], $10::numeric[])
        with ordinality as line (id, product_id, product_name, model, unit_price, quantity, discount_pct, subtotal)`,
    values: [
      tenantId,
      quoteId,
      column('id'),
      column('productId'),
      column('productName'),
      column('model'),
      column('unitPrice'),
      column('quantity'),
      column('discountPct'),
      column('subtotal'),
    ],
  };
}
