import { openCallers } from './lib/callers.ts';
import { costs, interleave, type Variant } from './lib/measure.ts';
import { startApi } from './lib/processes.ts';
import { atMost, type Bench, type Fact, type Findings, type Row } from './lib/row.ts';
import { DATA_SETS } from './lib/seed.ts';
import { transferred } from './lib/transferred.ts';

/** The console's list is the API's list with a page around it. */
export const row: Row = {
  name: 'console',
  title: 'the first page of 200 000 quotes in the console, and what its pages transfer',
  quick: true,
  run: measureConsole,
};

const LIST = '/api/quotes';
const PAGE = '/app/quotes';
const COUNT = 200;
const KB = 1_000;
/** Page, stylesheet and scripts of a browser that has nothing cached. */
const MAX_KB = 100;

async function measureConsole(bench: Bench): Promise<Findings> {
  const databases = await bench.databases();
  const database = await databases.shared(bench.quick ? DATA_SETS.smallOne : DATA_SETS.one);
  const api = await startApi(databases, database);
  bench.after(api.stop);
  const cookie = await database.cookieOf(0);
  const size = async (path: string) => (await transferred(api.url, path, { cookie })) / KB;
  const fact = (what: string, value: number): Fact => ({ what, value, unit: 'kB', goal: { most: MAX_KB } });
  const facts = [fact(`${PAGE}: transferred`, await size(PAGE))];
  const others = await Promise.all(
    (await linked(api.url, cookie)).map(async (path) => [path, await size(path)] as const),
  );
  const largest = others.toSorted(([, a], [, b]) => b - a)[0];
  if (largest) facts.push(fact(`${largest[0]}, the largest page of the navigation: transferred`, largest[1]));
  if (bench.quick) return { facts };

  const variants = [LIST, PAGE].map((path): Variant => {
    const callers = openCallers(api.url, { callers: 2, request: () => ({ path, headers: { cookie } }) });
    bench.after(callers.close);
    return { name: path, operations: COUNT, pids: [api.pid], run: async () => void (await callers.send(COUNT)) };
  });
  const samples = await interleave(variants, { rounds: bench.rounds, warm: 2, postgres: databases.pid });
  return {
    samples: [samples],
    ratios: [atMost(2, `cost of ${PAGE} vs. ${LIST}`, costs(samples, PAGE, LIST))],
    facts,
  };
}

/** The pages that the list's navigation leads to. */
async function linked(url: string, cookie: string): Promise<readonly string[]> {
  const page = await (await fetch(url + PAGE, { headers: { cookie } })).text();
  return [...new Set(page.match(/(?<=href=")\/app[a-z/-]*(?=")/g))];
}
