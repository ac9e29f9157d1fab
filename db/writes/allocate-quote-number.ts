import { tenantOf, type TenantTransaction } from '../with-tenant.ts';

/**
 * The tenant's next quote number, taken in the creating transaction: a create that fails gives it back.
 * Call it as late as possible; the counter's row is locked until the transaction ends.
 */
export async function allocateQuoteNumber(trx: TenantTransaction): Promise<number> {
  const rows = await trx<{ tenantId: string; lastNumber: number }>('quoteCounters')
    .where({ tenantId: tenantOf(trx) })
    .update({ lastNumber: trx.raw('last_number + 1') })
    .returning('lastNumber');
  const [row] = rows;
  if (!row) throw new Error('the tenant has no quote counter');
  return row.lastNumber;
}
