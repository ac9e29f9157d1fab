import type { Caller } from '../../domain/caller.ts';
import type { Deps } from '../deps.ts';
import { matchingQuotes, type QuoteFilter } from './filters.ts';
import { pageOf, type ListedQuote } from './queries.ts';

const BATCH_SIZE = 500;

/**
 * Iterates over all visible quotes that match the filter, highest number first, in batches. Each batch is a transaction
 * of its own, so that a slow reader holds no connection. Numbers never change, so no quote is repeated or missing. The
 * first batch is read before this returns, so that its errors become an error response.
 */
export async function streamQuotes(
  { withTenant }: Pick<Deps, 'withTenant'>,
  caller: Caller,
  filter: QuoteFilter,
): Promise<AsyncIterable<readonly ListedQuote[]>> {
  const batchBelow = (number: number | undefined) =>
    withTenant(caller.tenantId, async (trx) => {
      const matching = await matchingQuotes(trx, caller, filter);
      if (number !== undefined) void matching.page.where('quotes.quoteNumber', '<', number);
      return pageOf(trx, matching, { sort: '-quoteNumber', limit: BATCH_SIZE });
    });

  const first = await batchBelow(undefined);
  return (async function* batches() {
    for (let batch = first; batch.length > 0; batch = await batchBelow(batch.at(-1)?.quoteNumber)) {
      yield batch;
      if (batch.length < BATCH_SIZE) return;
    }
  })();
}
