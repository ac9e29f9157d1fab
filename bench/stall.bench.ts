import { openCallers } from './lib/callers.ts';
import { median, quantile } from './lib/measure.ts';
import { startApi } from './lib/processes.ts';
import { atMost, type Bench, type Findings, type Row } from './lib/row.ts';
import { clientId, DATA_SETS } from './lib/seed.ts';

/** Goal 6: whether documents that are being drawn keep others waiting. Wall time, for waiting is what it is about. */
export const row: Row = {
  name: 'stall',
  title: 'small reads while four callers render quotes of 200 lines',
  quick: false,
  shortfall: `The thread that draws and the main thread share two cores with PostgreSQL and the callers: on more cores a read waits for nothing that is drawn.`,
  run: measureStall,
};

const COUNT = 400;

async function measureStall(bench: Bench): Promise<Findings> {
  const databases = await bench.databases();
  const set = DATA_SETS.smallMany;
  const database = await databases.own(set);
  const api = await startApi(databases, database);
  bench.after(api.stop);
  const headers = { cookie: await database.cookieOf(0) };
  const quoteId = await createLong(api.url, headers.cookie);
  const reads = openCallers(api.url, { callers: 1, request: () => ({ path: '/api/onboarding', headers }) });
  const drawn = openCallers(api.url, { callers: 4, request: () => ({ path: `/api/quotes/${quoteId}/pdf`, headers }) });
  bench.after(reads.close);
  bench.after(drawn.close);
  await reads.send(COUNT);
  await drawn.send(20);

  const ratios: number[] = [];
  const documents: number[] = [];
  for (let round = 0; round < bench.rounds; round++) {
    const idle = quantile(await reads.send(COUNT), 0.99);
    let drawing = true;
    const startedAt = performance.now();
    const drawings = (async () => {
      let count = 0;
      while (drawing) count += (await drawn.send(8)).length;
      return count;
    })();
    const busy = quantile(await reads.send(COUNT), 0.99);
    drawing = false;
    documents.push(((await drawings) / (performance.now() - startedAt)) * 1_000);
    ratios.push(busy / idle);
  }
  return {
    ratios: [atMost(4, 'p99 of a small read while PDFs are rendered vs. idle (wall time)', ratios)],
    figures: [{ what: 'PDFs of 200 lines', value: median(documents), unit: 'per second' }],
  };
}

async function createLong(url: string, cookie: string): Promise<string> {
  const items = Array.from({ length: 200 }, () => ({ productName: 'Silla ejecutiva', unitPrice: 100, quantity: 2 }));
  const answer = await fetch(`${url}/api/quotes`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', cookie },
    body: JSON.stringify({ clientId: clientId(DATA_SETS.smallMany, 0, 0), items }),
  });
  if (answer.status !== 201) throw new Error(`the quote was not created: ${await answer.text()}`);
  // What POST answers, as its schema has it.
  return ((await answer.json()) as { id: string }).id;
}
