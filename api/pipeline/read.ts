import type { Caller } from '../../domain/caller.ts';
import { moneyString } from '../../domain/money.ts';
import { displayNumber } from '../../domain/quote-number.ts';
import type { Deps } from '../deps.ts';
import { streamQuotes } from '../quotes/stream-quotes.ts';
import type { ListedQuote } from '../quotes/queries.ts';
import { type JsonStream, streamData } from '../streams.ts';
import type { PipelineEntry, ReadPipeline } from './schema.ts';

/**
 * Streams `{data: [every matching quote]}` as JSON, highest number first. Only one batch of a few hundred rows is in
 * memory.
 */
export async function readPipeline(
  deps: Pick<Deps, 'withTenant' | 'streams' | 'now'>,
  caller: Caller,
  { minAmount, maxAmount, ...query }: ReadPipeline,
): Promise<JsonStream<{ readonly data: readonly PipelineEntry[] }>> {
  const filter = {
    ...query,
    now: deps.now(),
    ...(minAmount !== undefined && { minTotal: minAmount }),
    ...(maxAmount !== undefined && { maxTotal: maxAmount }),
  };
  return deps.streams.open(caller.tenantId, async () =>
    streamData(entriesOf(await streamQuotes(deps, caller, filter))),
  );
}

async function* entriesOf(batches: AsyncIterable<readonly ListedQuote[]>) {
  for await (const batch of batches) yield batch.map(pipelineEntry);
}

const pipelineEntry = (row: ListedQuote): PipelineEntry => ({
  id: row.id,
  quoteNumber: row.quoteNumber,
  displayNumber: displayNumber(row),
  status: row.status,
  subtotal: moneyString(row.subtotal, row.currency),
  tax: moneyString(row.tax, row.currency),
  total: moneyString(row.total, row.currency),
  currency: row.currency,
  createdAt: row.createdAt.toISOString(),
  client: { contactName: row.contactName, companyName: row.companyName },
  user: { name: row.userName },
});
