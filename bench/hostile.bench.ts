import { readFileSync } from 'node:fs';
import { request as send } from 'node:http';
import { codeOf } from '../dev/problem.ts';
import { boundMs, type Document, type HostileRequest, hostileRequests, routesOf } from './lib/hostile.ts';
import { mainThreadNs } from './lib/longest-turn.ts';
import { startApi } from './lib/processes.ts';
import { atMost, type Bench, type Findings, type Row } from './lib/row.ts';
import { DATA_SETS } from './lib/seed.ts';

/** What the dearest hostile request costs the main thread, of all routes and pages, with and without credentials. */
export const row: Row = {
  name: 'hostile',
  title: 'the most expensive refused request of every route',
  quick: false,
  run: measureHostile,
};

/** A collection of garbage makes a request dearer and never cheaper: the least of so many times counts. */
const TIMES = 3;

interface Cost {
  readonly request: HostileRequest;
  readonly ms: number;
  /** Of what no stretch may be longer than. */
  readonly share: number;
}

async function measureHostile(bench: Bench): Promise<Findings> {
  const databases = await bench.databases();
  const database = await databases.own(DATA_SETS.smallMany);
  const api = await startApi(databases, database);
  bench.after(api.stop);
  const cookie = await database.cookieOf(0);
  // The document as the API under measurement prints it.
  const document = (await (await fetch(`${api.url}/api/openapi.json`)).json()) as Document;

  const costs: Cost[] = [];
  for (const route of routesOf(document)) {
    for (const request of hostileRequests(route)) {
      costs.push(await costOf(request, {}));
      if (!route.isPublic) costs.push(await costOf(request, { Cookie: cookie }));
    }
  }
  const worst = (chosen: readonly Cost[]): Cost => chosen.reduce((a, b) => (b.share > a.share ? b : a));
  const of = ({ request: { route, what } }: Cost): string => `${route.name}, ${what}`;
  const anybody = worst(costs.filter(({ request }) => request.route.isPublic));
  const all = worst(costs);
  return {
    ratios: [
      atMost(1, `dearest of ${costs.length} requests, of the bound: ${of(all)}`, [all.share]),
      atMost(1, `dearest without credentials, of the bound: ${of(anybody)}`, [anybody.share]),
    ],
    figures: [
      { what: of(all), value: all.ms, unit: 'ms of the main thread' },
      { what: of(anybody), value: anybody.ms, unit: 'ms of the main thread' },
    ],
    notes: [
      'The limit is 100 ms, or five times `JSON.parse` of the same bytes. Measured from outside: all CPU time that the main thread spent on the request, an upper bound of any blocking part.',
    ],
  };

  async function costOf(request: HostileRequest, credentials: Readonly<Record<string, string>>): Promise<Cost> {
    const bound = boundMs(request, cpuMs);
    let ms = Infinity;
    for (let time = 0; time < TIMES && ms > bound; time += 1) {
      const before = mainThreadOf(api.pid);
      await sendTo(api.url, request, credentials);
      ms = Math.min(ms, (mainThreadOf(api.pid) - before) / 1e6);
    }
    return { request, ms, share: ms / bound };
  }
}

const mainThreadOf = (pid: number): number =>
  Number(readFileSync(`/proc/${pid}/task/${pid}/schedstat`, 'utf8').split(' ')[0] ?? 0);

function cpuMs(work: () => void): number {
  const before = mainThreadNs();
  work();
  return (mainThreadNs() - before) / 1e6;
}

function sendTo(
  url: string,
  { route: { method }, path, headers, body }: HostileRequest,
  credentials: Readonly<Record<string, string>>,
): Promise<void> {
  return new Promise((resolve, reject) => {
    // A 413 closes the connection while the body is still being sent.
    const failed = (error: Error) =>
      ['ECONNRESET', 'EPIPE'].includes(codeOf(error) ?? '') ? resolve() : reject(error);
    const sent = send(url + path, { method, headers: { ...headers, ...credentials } }, (answer) => {
      answer.resume();
      answer.once('close', resolve);
      answer.once('error', failed);
    });
    sent.once('error', failed);
    sent.end(body);
  });
}
