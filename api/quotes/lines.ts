import sql, { type Sql } from 'sql-template-tag';
import { isId, newId } from '../../db/ids.ts';
import { Client } from '../../db/models/client.ts';
import { Product } from '../../db/models/product.ts';
import { named, send } from '../../db/pipeline.ts';
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
  await send(trx, [named('insert-quote-lines', storedLines(quote, lines))]);
}

/**
 * Inserts lines as one statement of a pipeline. They are one parameter, so that the text is the same for any number of
 * lines; an array for each column costs PostgreSQL twice as much.
 */
export function storedLines(
  { tenantId, quoteId }: { readonly tenantId: string; readonly quoteId: string },
  lines: readonly StoredLine[],
): Sql {
  const rows = JSON.stringify(lines.map((line, position) => ({ position, ...line })));
  return sql`insert into quote_items (tenant_id, quote_id, position, id, product_id, product_name, model, unit_price, quantity,
        discount_pct, subtotal, description, section, unit, taxes, optional, choice, counts)
      select ${tenantId}, ${quoteId}, position, id, "productId", "productName", model, "unitPrice", quantity, "discountPct", subtotal,
        description, section, unit, taxes, optional, choice, counts
      from json_to_recordset(${rows}::json) as line (position integer, id text, "productId" text, "productName" text, model text,
        "unitPrice" numeric, quantity numeric, "discountPct" numeric, subtotal numeric, description text, section text,
        unit text, taxes text, optional boolean, choice text, counts boolean)`;
}
