import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { getJson, openCallers } from './lib/callers.ts';
import { connected, type Database } from './lib/database.ts';
import { interleave, times, type Variant } from './lib/measure.ts';
import { hasPgbench, pgbench } from './lib/pgbench.ts';
import { startApi, type ServerUnderTest, startNode } from './lib/processes.ts';
import { atLeast, type Bench, type Fact, type Findings, type Row } from './lib/row.ts';
import { clientId, DATA_SETS, type DataSet, ownerId, tenantId } from './lib/seed.ts';
import { countStatements } from './lib/statements.ts';

const COUNT = 320;
const LIMIT_COUNT = 1_600;

/** Goal 4: a quote with five lines over HTTP with all that follows from it, against what PostgreSQL alone needs. */
export const row: Row = {
  name: 'create',
  title: 'POST /api/quotes with five lines, number, audit entry and event',
  quick: true,
  shortfall: `PostgreSQL's part alone costs more than all of pgbench: the statements run under row-level security, in two packets, compared with one function call that checks nothing. Of PostgreSQL's CPU time, a sixth is 34 entries of indexes, a tenth each are foreign keys, fdatasync and the start of the statement that inserts, and a fourteenth is the checks of two tables, which PostgreSQL parses for each statement. Of Node's, a tenth is the kernel, mostly sockets; the rest is spread over pg and Knex, Koa, Ajv, exact decimals, audit entry and event. A database function that does everything in one round trip would reduce the cost, with the rules in SQL. insertGraph and Prisma's transaction write the same rows, but check no session, permission or row-level security, and validate and compute nothing.`,
  run: measureCreate,
};

const body = (set: DataSet, n: number, k: number): string =>
  JSON.stringify({
    clientId: clientId(set, n, k % set.clientsEach),
    items: Array.from({ length: 5 }, () => ({ productName: 'Silla ejecutiva', unitPrice: 100, quantity: 2 })),
  });

async function measureCreate(bench: Bench): Promise<Findings> {
  const databases = await bench.databases();
  const set = bench.quick ? DATA_SETS.smallMany : DATA_SETS.many;
  const database = await databases.own(set);
  const cookies = await Promise.all(Array.from({ length: set.tenants }, (_, n) => database.cookieOf(n)));
  const posting = ({ url }: ServerUnderTest, callers: number, tenantOf: (n: number) => number) => {
    const opened = openCallers(url, {
      callers,
      expect: 201,
      request: (n) => ({
        method: 'POST',
        path: '/api/quotes',
        headers: { 'content-type': 'application/json', cookie: cookies[tenantOf(n)] ?? '' },
        body: body(set, tenantOf(n), n),
      }),
    });
    bench.after(opened.close);
    return opened;
  };

  const counter = await countStatements(database);
  bench.after(counter.close);
  const counted = await startApi(databases, counter.database);
  bench.after(counted.stop);
  const one = posting(counted, 1, () => 0);
  const statements = await counter.of(() => one.send(1));

  const api = await startApi(databases, database);
  bench.after(api.stop);
  if (bench.quick) {
    // Few callers: on a busy machine a long wait for the counter is refused.
    await posting(api, 4, () => 0).send(100);
    return { facts: [statementsFact(statements), ...(await numbering(database))] };
  }

  const spread = posting(api, 16, (n) => n % set.tenants);
  const hot = posting(api, 64, () => 0);
  await connected(database.superUrl, async (client) => {
    await client.query(await readFile(new URL('./reference/create-function.sql', import.meta.url), 'utf8'));
  });
  const variants: Variant[] = [
    { name: SPREAD, operations: COUNT, pids: [api.pid], run: async () => void (await spread.send(COUNT)) },
    { name: HOT, operations: COUNT, pids: [api.pid], run: async () => void (await hot.send(COUNT)) },
  ];
  const withPgbench = await hasPgbench();
  if (withPgbench) {
    variants.push(limit(LIMIT_SPREAD, 16, `\\set n random(0, ${set.tenants - 1})`), limit(LIMIT_HOT, 64, '\\set n 0'));
  }
  const graph = await startNode('bench/servers/insert-graph.ts', { env: { DATABASE_URL: database.superUrl } });
  bench.after(graph.stop);
  variants.push(await bare(GRAPH, graph));
  if (bench.peers) {
    const prisma = await startNode('bench/reference/prisma-create.mjs', { env: { DATABASE_URL: database.superUrl } });
    bench.after(prisma.stop);
    variants.push(await bare(PRISMA, prisma));
  }

  const samples = await interleave(variants, { rounds: bench.rounds, warm: 4, postgres: databases.pid });
  return {
    samples: [samples],
    ratios: [
      ...(withPgbench
        ? [
            atLeast(0.5, `${SPREAD}, against pgbench calling one function`, times(samples, SPREAD, LIMIT_SPREAD)),
            atLeast(0.8, `${HOT}, against pgbench there`, times(samples, HOT, LIMIT_HOT)),
          ]
        : []),
      atLeast(2, `${SPREAD}, against a bare insertGraph`, times(samples, SPREAD, GRAPH)),
      ...(bench.peers
        ? [atLeast(3, `${SPREAD}, against Prisma's transaction alone`, times(samples, SPREAD, PRISMA))]
        : []),
    ],
    facts: [statementsFact(statements), ...(await numbering(database))],
    notes: [
      ...(withPgbench ? [] : ['pgbench is not installed, so the limit was not measured.']),
      ...(bench.peers ? [] : ['Without Prisma (`--no-peers`).']),
    ],
  };

  /** A server that does no more than write. */
  async function bare(name: string, { url, pid }: ServerUnderTest): Promise<Variant> {
    const path = (n: number) => {
      const tenant = n % set.tenants;
      return `/?tenant=${tenantId(tenant)}&client=${clientId(set, tenant, n % set.clientsEach)}&user=${ownerId(tenant)}`;
    };
    assert.deepEqual(await writtenBy(database, `${url}${path(0)}`), EACH, `${name} writes all rows of a quote`);
    const callers = openCallers(url, { callers: 16, request: (n) => ({ path: path(n) }) });
    bench.after(callers.close);
    return { name, operations: COUNT, pids: [pid], run: async () => void (await callers.send(COUNT)) };
  }

  function limit(name: string, clients: number, choose: string): Variant {
    // Ids as seed.ts writes them.
    const script = `${choose}
\\set c :n * ${set.clientsEach} + random(0, ${set.clientsEach - 1})
\\set u :n * 10
select bench_create('ct' || lpad(:n::text, 23, '0'), 'cc' || lpad(:c::text, 23, '0'), 'cu' || lpad(:u::text, 23, '0'));
`;
    return {
      name,
      operations: LIMIT_COUNT,
      counts: 'children',
      run: async () => pgbench(database.superUrl, script, { clients, transactions: LIMIT_COUNT }),
    };
  }
}

const SPREAD = '16 callers, 50 businesses';
const HOT = '64 callers, one business';
const LIMIT_SPREAD = 'pgbench, 16 connections, 50 businesses';
const LIMIT_HOT = 'pgbench, 64 connections, one business';
const GRAPH = 'Objection insertGraph alone, 16 callers';
const PRISMA = "Prisma's transaction alone, 16 callers";

const EACH = { quotes: 1, items: 5, audited: 1, events: 1 };

const statementsFact = (value: number): Fact => ({
  what: 'statements of a create, including its session',
  value,
  // A connection's first transaction takes more messages, and the nudge may have taken the one that has its statements.
  goal: { most: 7 },
});

/** What there is of the quote that one call to a bare server made; it answers the number. */
async function writtenBy({ superUrl }: Database, url: string): Promise<unknown> {
  const number = await getJson(url);
  return connected(superUrl, async (client) => {
    const { rows } = await client.query(
      `select count(*)::int as quotes, sum((select count(*) from quote_items where quote_id = q.id))::int as items,
         sum((select count(*) from audit_logs where entity_id = q.id))::int as audited,
         sum((select count(*) from outbox_events where quote_id = q.id))::int as events
       from quotes q where tenant_id = $1 and quote_number = $2`,
      [tenantId(0), number],
    );
    return rows[0];
  });
}

/** Numbers run from 1 to the counter in each business. */
async function numbering({ superUrl }: Database): Promise<readonly Fact[]> {
  return connected(superUrl, async (client) => {
    const { rows } = await client.query<{ gaps: number; duplicates: number }>(
      `select coalesce(sum(greatest(c.last_number, q.highest) - q.different), 0)::int as gaps,
         coalesce(sum(q.quotes - q.different), 0)::int as duplicates
       from quote_counters c join (select tenant_id, count(*) as quotes, count(distinct quote_number) as different,
         max(quote_number) as highest from quotes group by 1) q using (tenant_id)`,
    );
    const [{ gaps, duplicates } = { gaps: Number.NaN, duplicates: Number.NaN }] = rows;
    return [
      { what: 'gaps in numbers', value: gaps, goal: { most: 0 } },
      { what: 'duplicate numbers', value: duplicates, goal: { most: 0 } },
    ];
  });
}
