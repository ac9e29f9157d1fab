import { finished } from 'node:stream/promises';
import { readPipeline } from '../api/pipeline/read.ts';
import { matchingQuotes } from '../api/quotes/filters.ts';
import { pageOf } from '../api/quotes/queries.ts';
import { createStreams } from '../api/streams.ts';
import { openInside, owner } from './lib/inside.ts';
import { longestTurn } from './lib/longest-turn.ts';
import { costs, interleave, type Variant } from './lib/measure.ts';
import { atMost, type Bench, type Findings, type Row } from './lib/row.ts';
import { DATA_SETS } from './lib/seed.ts';

/** Goal 9: ten thousand entries as a stream, against the same text made in one piece. */
export const row: Row = {
  name: 'pipeline',
  title: '10 000 entries of the pipeline',
  quick: true,
  run: measurePipeline,
};

async function measurePipeline(bench: Bench): Promise<Findings> {
  const databases = await bench.databases();
  const set = bench.quick ? DATA_SETS.smallOne : DATA_SETS.one;
  const database = await databases.shared(set);
  const { withTenant, close } = openInside(database);
  bench.after(close);
  // The newest quotes of a data set lie at the end of its two years.
  const from = new Date(Date.UTC(2024, 10, 27) + 730 * 86_400_000 * (1 - 10_000 / set.quotesEach)).toISOString();
  const firstBytes: { streamed: number[]; buffered: number[] } = { streamed: [], buffered: [] };

  const streams = createStreams();
  const streamed = async () => {
    const startedAt = performance.now();
    const stream = await readPipeline({ withTenant, streams, now: () => new Date() }, owner, { from });
    let bytes = 0;
    stream.on('data', (chunk: string) => {
      if (bytes === 0) firstBytes.streamed.push(performance.now() - startedAt);
      bytes += chunk.length;
    });
    await finished(stream);
    return bytes;
  };
  const buffered = async () => {
    const startedAt = performance.now();
    const rows = await withTenant(owner.tenantId, async (trx) =>
      pageOf(trx, await matchingQuotes(trx, owner, { from }), { sort: '-quoteNumber', limit: 10_000 }),
    );
    const text = JSON.stringify({ data: rows });
    firstBytes.buffered.push(performance.now() - startedAt);
    return text.length;
  };

  // Our code is compiled as it is used.
  for (let time = 0; time < 10; time++) await streamed();
  const turn = await longestTurn(streamed);
  const facts = [{ what: 'longest iteration of the event loop', value: turn, unit: 'ms CPU', goal: { most: 25 } }];
  if (bench.quick) return { facts };

  const variants: Variant[] = [
    { name: 'streamed', operations: 1, run: async () => void (await streamed()) },
    { name: 'in one piece', operations: 1, run: async () => void (await buffered()) },
  ];
  const samples = await interleave(variants, {
    rounds: bench.rounds,
    warm: 2,
    postgres: databases.pid,
  });
  // One for each round; what ran to warm up came before.
  const [first, firstOfPiece] = [firstBytes.streamed.slice(-bench.rounds), firstBytes.buffered.slice(-bench.rounds)];
  const before = process.memoryUsage().rss;
  await streamed();
  const grown = Math.max(0, process.memoryUsage().rss - before) / 2 ** 20;
  return {
    samples: [samples],
    ratios: [
      atMost(1.25, 'cost of the stream vs. one response', costs(samples, 'streamed', 'in one piece')),
      atMost(
        0.4,
        'first byte of the stream vs. one response (wall time)',
        first.map((ms, round) => ms / (firstOfPiece[round] ?? Number.NaN)),
      ),
    ],
    facts: [
      ...facts,
      { what: 'resident memory growth per additional one', value: grown, unit: 'MiB', goal: { most: 40 } },
    ],
  };
}
