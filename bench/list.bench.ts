import assert from 'node:assert/strict';
import { AUTH_SECRET, openAuthJs } from './lib/auth-js.ts';
import { getJson, openCallers } from './lib/callers.ts';
import type { Database } from './lib/database.ts';
import { interleave, times, type Variant } from './lib/measure.ts';
import { startApi, startNode } from './lib/processes.ts';
import { atLeast, type Bench, type Findings, type Row } from './lib/row.ts';
import { DATA_SETS, type DataSet, ownerId, tenantId } from './lib/seed.ts';
import { countStatements } from './lib/statements.ts';

const CALLERS = 8;
const COUNT = 400;

/**
 * Goal 2: the list over HTTP with session, permission and forced row-level security, against the least that could serve
 * it and against what many would pick for it.
 */
export const row: Row = {
  name: 'list',
  title: '20 quotes with client, creator, labels, number of items and total',
  quick: true,
  shortfall: `Besides the two statements that both sides run, ours decrypts the cookie (see chain) and reads session, user and plan in a transaction of each request, so that a revoked session ends immediately. Of Node's CPU time, a quarter is the kernel writing to sockets and 7 % garbage collection; the rest is spread over pg, Koa, Ajv and building the response. Caching a session for some seconds would reduce the cost, and delay its revocation by as long.`,
  run: measureList,
};

async function measureList(bench: Bench): Promise<Findings> {
  const databases = await bench.databases();
  const set = bench.quick ? DATA_SETS.smallMany : DATA_SETS.many;
  const database = await databases.shared(set);
  const cookies = await Promise.all(Array.from({ length: set.tenants }, (_, n) => database.cookieOf(n)));
  const cookie = (n: number) => ({ cookie: cookies[n % cookies.length] ?? '' });

  const api = await startApi(databases, database);
  bench.after(api.stop);
  const counter = await countStatements(database);
  bench.after(counter.close);
  const counted = await startApi(databases, counter.database);
  bench.after(counted.stop);
  const body = JSON.stringify(await getJson(`${api.url}/api/quotes`, cookie(0)));
  const facts = [
    {
      what: 'statements of a list, including its session',
      value: await counter.of(() => getJson(`${counted.url}/api/quotes`, cookie(0))),
      goal: { most: 2 },
    },
    // Answers of clients are as long as their names.
    {
      what: 'bytes of the response without answers',
      value: without('answer', body).length,
      unit: 'B',
      goal: { most: 13_100 },
    },
  ];
  const raw = await startNode('bench/reference/list-raw.mjs', { env: { DATABASE_URL: database.superUrl } });
  bench.after(raw.stop);
  const expected = without('nextCursor', body);
  assert.equal(
    JSON.stringify(await getJson(`${raw.url}/?tenant=${tenantId(0)}`)),
    expected,
    'both answer the same page',
  );
  if (bench.quick) return { facts };

  const ours = openCallers(api.url, {
    callers: CALLERS,
    request: (n) => ({ path: '/api/quotes', headers: cookie(n) }),
  });
  const least = openCallers(raw.url, {
    callers: CALLERS,
    request: (n) => ({ path: `/?tenant=${tenantId(n % set.tenants)}` }),
  });
  bench.after(ours.close);
  bench.after(least.close);
  const variants: Variant[] = [
    { name: OURS, operations: COUNT, pids: [api.pid], run: async () => void (await ours.send(COUNT)) },
    {
      name: LEAST,
      operations: COUNT,
      pids: [raw.pid],
      run: async () => void (await least.send(COUNT)),
    },
  ];
  if (bench.peers) variants.push(await nextVariant(bench, set, database, expected));
  const samples = await interleave(variants, { rounds: bench.rounds, warm: 4, postgres: databases.pid });
  return {
    samples: [samples],
    ratios: [
      atLeast(0.7, 'GET /api/quotes against node:http + two statements', times(samples, OURS, LEAST)),
      ...(bench.peers ? [atLeast(2.5, `${OURS} against ${NEXT}`, times(samples, OURS, NEXT))] : []),
    ],
    facts,
    notes: bench.peers ? [] : [`Without ${NEXT} (\`--no-peers\`).`],
  };
}

const without = (member: string, body: string): string =>
  JSON.stringify(JSON.parse(body, (name, value: unknown) => (name === member ? undefined : value)));

/** The same list by Next's production server, without row-level security. */
async function nextVariant(bench: Bench, set: DataSet, { superUrl }: Database, body: string): Promise<Variant> {
  const env = { DATABASE_URL: superUrl, AUTH_SECRET, NEXT_TELEMETRY_DISABLED: '1' };
  const next = await startNode('bench/reference/next-prisma/server.mjs', { env });
  bench.after(next.stop);
  const authJs = await openAuthJs();
  const cookies = await Promise.all(
    Array.from({ length: set.tenants }, async (_, n) =>
      authJs.header(await authJs.encode({ userId: ownerId(n), tenantId: tenantId(n) })),
    ),
  );
  const cookie = (n: number) => ({ cookie: cookies[n % cookies.length] ?? '' });
  const path = '/api/quotes';
  assert.equal(JSON.stringify(await getJson(`${next.url}${path}`, cookie(0))), body, 'Next answers the same bytes');
  const callers = openCallers(next.url, { callers: CALLERS, request: (n) => ({ path, headers: cookie(n) }) });
  bench.after(callers.close);
  return { name: NEXT, operations: COUNT, pids: [next.pid], run: async () => void (await callers.send(COUNT)) };
}

const OURS = 'GET /api/quotes';
const LEAST = 'node:http + two prepared statements';
const NEXT = 'Next 15 + Prisma 7 + Auth.js';
