import { matchingQuotes } from '../api/quotes/filters.ts';
import { listUnfiltered } from '../api/quotes/list-unfiltered.ts';
import type { ListQuotes } from '../api/quotes/list-schema.ts';
import { pageOf } from '../api/quotes/queries.ts';
import { getJson, openCallers } from './lib/callers.ts';
import type { Database } from './lib/database.ts';
import { owner } from './lib/inside.ts';
import { costs, interleave, type Variant } from './lib/measure.ts';
import { type ServerUnderTest, startApi } from './lib/processes.ts';
import { atMost, type Bench, type Fact, type Findings, type Row } from './lib/row.ts';
import { rowsReadPipelined, rowsReadIn } from './lib/rows-read.ts';
import { DATA_SETS, tenantId } from './lib/seed.ts';

/** Goal 3: the size of a business, the page and the search do not matter much; what PostgreSQL reads is counted. */
export const row: Row = {
  name: 'growth',
  title: 'the list in businesses with 4 000 and 200 000 quotes',
  quick: true,
  shortfall: `A search counts all quotes of the clients that match: for a common name PostgreSQL reads an index entry for each, which is nine tenths of its cost. The first page takes its count from a counter, and pages beyond by number skip index entries.`,
  run: measureGrowth,
};

const PAGE = 20;
const FIRST = 'page 1 of 200 000';
const DEEP = 5_000;

async function measureGrowth(bench: Bench): Promise<Findings> {
  const databases = await bench.databases();
  const one = await databases.shared(bench.quick ? DATA_SETS.smallOne : DATA_SETS.one);
  const facts = await readFacts(one);
  if (bench.quick) return { facts };
  const api = await startApi(databases, one);
  bench.after(api.stop);

  const many = await databases.shared(DATA_SETS.many);
  const small = await startApi(databases, many);
  bench.after(small.stop);
  const asked = async (name: string, at: ServerUnderTest, database: Database, path: string, count: number) => {
    const headers = { cookie: await database.cookieOf(0) };
    const callers = openCallers(at.url, { callers: 2, request: () => ({ path, headers }) });
    bench.after(callers.close);
    return {
      name,
      operations: count,
      pids: [at.pid],
      run: async () => void (await callers.send(count)),
    } satisfies Variant;
  };
  const cursor = await cursorAfter(api.url, DEEP - 1, { cookie: await one.cookieOf(0) });
  const variants = [
    await asked('page 1 of 4 000', small, many, '/api/quotes', 200),
    await asked(FIRST, api, one, '/api/quotes', 200),
    await asked('page 5 000', api, one, `/api/quotes?page=${DEEP}`, 20),
    await asked('page 5 000 by cursor', api, one, `/api/quotes?cursor=${encodeURIComponent(cursor)}`, 200),
    await asked('rare name', api, one, '/api/quotes?search=zapateria%20nandu', 20),
    await asked('reference', api, one, '/api/quotes?reference=OC-1234', 50),
    await asked('metadata', api, one, '/api/quotes?metadata.project=P-1234', 50),
    await asked('common name', api, one, '/api/quotes?search=mar%C3%ADa', 10),
  ];
  const samples = await interleave(variants, { rounds: bench.rounds, warm: 2, postgres: databases.pid });
  return {
    samples: [samples],
    ratios: [
      atMost(1.3, 'cost of page 1 at 200 000 vs. 4 000', costs(samples, FIRST, 'page 1 of 4 000')),
      atMost(40, 'cost of page 5 000 vs. page 1', costs(samples, 'page 5 000', FIRST)),
      atMost(1.3, 'cost of page 5 000 by cursor vs. page 1', costs(samples, 'page 5 000 by cursor', FIRST)),
      atMost(20, 'cost of a search for a rare name vs. page 1', costs(samples, 'rare name', FIRST)),
      atMost(20, 'cost of a reference vs. page 1', costs(samples, 'reference', FIRST)),
      atMost(20, 'cost of a value of metadata vs. page 1', costs(samples, 'metadata', FIRST)),
      atMost(20, 'cost of a search for a common name vs. page 1', costs(samples, 'common name', FIRST)),
    ],
    facts,
  };
}

async function cursorAfter(url: string, page: number, headers: Readonly<Record<string, string>>): Promise<string> {
  // Only a last page has none.
  const { nextCursor } = (await getJson(`${url}/api/quotes?page=${page}`, headers)) as { nextCursor: string };
  return nextCursor;
}

/** Rows of `quotes` that the first page of each list reads. What is counted for a filtered total is not among them. */
async function readFacts(database: Database): Promise<readonly Fact[]> {
  const whose = { tenantId: tenantId(0), table: 'quotes' };
  const fact = (what: string, value: number): Fact => ({
    what: `rows of quotes read for ${what}`,
    value,
    goal: { most: 10 * PAGE },
  });
  const plain = await rowsReadPipelined(database, whose, (read) =>
    listUnfiltered(read, owner, { order: 'desc', page: 1, limit: PAGE }),
  );
  const facts = [fact('page 1', plain)];
  for (const [what, filter] of Object.entries(FILTERED)) {
    const { sort = '-quoteNumber', ...narrowed } = filter;
    const read = await rowsReadIn(database, whose, async (trx) =>
      pageOf(trx, await matchingQuotes(trx, owner, narrowed), { sort, limit: PAGE }),
    );
    facts.push(fact(what, read));
  }
  return facts;
}

const FILTERED: Readonly<Record<string, Partial<ListQuotes>>> = {
  'page 1 by total': { sort: '-total' },
  'page 1 of one status': { status: 'LOST' },
  'page 1 of a common name': { search: 'maría' },
  'page 1 of a rare name': { search: 'zapateria nandu' },
  'page 1 of a reference': { reference: 'OC-1234' },
  'page 1 of a value of metadata': { metadata: { project: 'P-1234' } },
  'page 1 of a number': { search: 'COT-149' },
};
