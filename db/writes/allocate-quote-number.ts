import { type NamedStatement, sendAtOnce } from '../at-once.ts';
import { tenantOf, type TenantTransaction } from '../with-tenant.ts';

/**
 * The tenant's next quote number, taken in the creating transaction: a create that fails gives it back.
 * Call it late: the counter's row is locked until the transaction ends.
 */
export async function allocateQuoteNumber(trx: TenantTransaction): Promise<number> {
  const [rows] = await sendAtOnce(trx, [nextQuoteNumber(trx)]);
  return numberOf(rows);
}

/** The same as a statement that goes with others, of which it should be the last. */
export const nextQuoteNumber = (trx: TenantTransaction): NamedStatement => ({
  name: 'next-quote-number',
  text: 'update quote_counters set last_number = last_number + 1 where tenant_id = $1 returning last_number as number',
  values: [tenantOf(trx)],
});

/** What that statement answered. */
export function numberOf(rows: readonly unknown[] | undefined): number {
  // The one column is that of the statement.
  const [row] = (rows ?? []) as { number: number }[];
  if (!row) throw new Error('the tenant has no quote counter');
  return row.number;
}
