import type { TenantTransaction } from '../../db/with-tenant.ts';
import { businessNotFound, invalidInput, nextNumberTooLow } from '../../domain/errors.ts';
import { MAX_QUOTE_NUMBER, numberFormatProblem } from '../../domain/quote-number.ts';

/** The number that the next quote of the business gets. */
export async function nextQuoteNumberOf(trx: TenantTransaction, tenantId: string): Promise<number> {
  const counter = await trx('quoteCounters')
    .where({ tenantId })
    .first<{ lastNumber: number } | undefined>('lastNumber');
  if (!counter) throw businessNotFound();
  return counter.lastNumber + 1;
}

/**
 * Like `nextQuoteNumberOf`, with a lock of the counter until the transaction ends; it must be locked before the business's
 * row, in the order in which a new quote locks them.
 */
export async function lockNextNumber(trx: TenantTransaction, tenantId: string): Promise<number> {
  const counter = await trx('quoteCounters')
    .where({ tenantId })
    .forUpdate()
    .first<{ lastNumber: number } | undefined>('lastNumber');
  if (!counter) throw businessNotFound();
  return counter.lastNumber + 1;
}

/** Raises the number of the next quote from that of the locked counter. */
export async function raiseNextNumber(
  trx: TenantTransaction,
  tenantId: string,
  { from, next }: { readonly from: number; readonly next: number },
): Promise<void> {
  const lastNumber = from - 1;
  if (next <= lastNumber || next > MAX_QUOTE_NUMBER) {
    throw nextNumberTooLow(lastNumber);
  }
  await trx('quoteCounters')
    .where({ tenantId })
    .update({ lastNumber: next - 1, skippedNumbers: trx.raw('skipped_numbers + ?', [next - 1 - lastNumber]) });
}

/** Throws a 400 for a format that does not name the number exactly once. */
export function assertNumberFormat(format: string | null | undefined): void {
  const problem = format ? numberFormatProblem(format) : undefined;
  if (problem) throw invalidInput([{ path: 'numberFormat', message: problem }]);
}
