import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Client } from 'pg';
import { writeBundle } from '../worker/workflow-bundle.ts';
import { ensureTemporal } from '../worker/ensure-temporal.ts';
import { createLog } from '../adapters/log.ts';
import { Connection } from '@temporalio/client';
import type { SubscribableEvent } from '../domain/event-types.ts';
import { freePort } from '../dev/ports.ts';
import { startTemporal } from '../dev/temporal.ts';
import { built } from './lib/built.ts';
import { openCallers } from './lib/callers.ts';
import { connected, type Database, type Databases } from './lib/database.ts';
import { costs, interleave, median, quantile, times, type Variant } from './lib/measure.ts';
import { settingsFor, startApi, startNode } from './lib/processes.ts';
import { atLeast, atMost, type Bench, type Findings, type Row } from './lib/row.ts';
import { DATA_SETS } from './lib/seed.ts';
import { EVENT_BODY, storeEvents, type Subscriber, subscribers } from './lib/waiting-events.ts';

/** Goal 7: a burst of deliveries against the queues that users would pick, one delivery at idle, and writes without Temporal. */
export const row: Row = {
  name: 'deliveries',
  title: 'webhook deliveries: a burst, one at idle, and writes while Temporal is down',
  quick: false,
  shortfall: `A delivery is a workflow, whose start, two tasks and activity Temporal writes down: most of the CPU time is the server's. The peers in PostgreSQL keep no history, hold no endpoint's limit and fence no late attempt.`,
  run: measureDeliveries,
};

/** A burst: so many events, one webhook each, over so many businesses. */
const EVENTS = 2_000;
const BUSINESSES = 10;
const OURS = 'ours, from the stored event';
const SEVEN = 'ours, webhooks with seven events';
/** The first is the one that is stored. */
const SEVEN_EVENTS: readonly SubscribableEvent[] = [
  'client.created',
  'product.created',
  'quote.created',
  'quote.sent',
  'quote.viewed',
  'quote.accepted',
  'quote.status_changed',
];
const PLAIN = 'plain SDK form, a workflow with one activity';
const GRAPHILE = 'graphile-worker, from the stored job';
const LOOP = 'an outbox loop, from the stored row';
const PAUSE_MS = 250;
/** Between two looks whether all are delivered: each counts them all, and is paid by PostgreSQL. */
const POLL_MS = 250;
/** The first ones meet a worker whose code has yet to be compiled: half a second at most. */
const WARM_UP = 10;
const ALONE = 40;
const WRITES = 400;

interface World {
  readonly databases: Databases;
  readonly database: Database;
  readonly client: Client;
  readonly to: readonly Subscriber[];
  /** Businesses whose webhooks want seven types of events. */
  readonly toSeven: readonly Subscriber[];
  readonly sinkUrl: string;
  readonly worker: number;
  /** The plain form's worker and client. */
  readonly plain: { readonly pid: number; readonly url: string };
  readonly temporal: { readonly pid: number; stop(): Promise<void>; start(): Promise<void> };
}

async function measureDeliveries(bench: Bench): Promise<Findings> {
  const databases = await bench.databases();
  const database = await databases.own(DATA_SETS.smallMany);
  return connected(database.superUrl, async (client) => {
    const world = await open(bench, databases, database, client);
    const idle = await atIdle(world);
    const burst = await drains(bench, world);
    const writes = await withoutTemporal(bench, world);
    const rate = (name: string) => 1e6 / median((burst.get(name) ?? []).map(({ wallUs }) => wallUs));
    return {
      samples: [burst],
      ratios: [
        atLeast(
          0.7,
          `${EVENTS} drained over ${BUSINESSES} endpoints, rate against the plain SDK form`,
          times(burst, OURS, PLAIN, 'wallUs'),
        ),
        atMost(1.25, 'CPU of worker, Temporal and PostgreSQL, against the plain SDK form', costs(burst, OURS, PLAIN)),
        atMost(1.1, 'CPU of a delivery to a webhook with seven events vs. one', costs(burst, SEVEN, OURS)),
        ...(bench.peers
          ? [
              atLeast(
                1,
                `${EVENTS} drained, against graphile-worker (wall time)`,
                times(burst, OURS, GRAPHILE, 'wallUs'),
              ),
              atLeast(0.5, `${EVENTS} drained, against an outbox loop (wall time)`, times(burst, OURS, LOOP, 'wallUs')),
            ]
          : []),
        atLeast(0.95, 'writes of the API while Temporal is down vs. normal (wall time)', writes),
      ],
      figures: [
        { what: 'event stored until its first attempt, at idle: p50', value: quantile(idle, 0.5), unit: 'ms' },
        {
          what: 'event stored until its first attempt, at idle: p95',
          value: quantile(idle, 0.95),
          unit: 'ms',
          goal: { most: 250 },
        },
        { what: 'drained by this service', value: rate(OURS), unit: 'per second' },
      ],
      notes: [
        'Our CPU time includes the worker and the Temporal development server.',
        ...(bench.peers ? [] : ['Without graphile-worker and the loop (`--no-peers`).']),
      ],
    };
  });
}

async function open(bench: Bench, databases: Databases, database: Database, client: Client): Promise<World> {
  const dataDir = await mkdtemp(path.join(tmpdir(), 'quoting-bench-'));
  bench.after(() => rm(dataDir, { recursive: true, force: true }));
  const port = await freePort();
  const start = () => startTemporal({ dataDir, port, headless: true });
  let temporal = await start();
  bench.after(() => temporal.stop());
  const connection = await Connection.connect({ address: temporal.address });
  await ensureTemporal({ connection, namespace: 'default', log: createLog({ level: 'silent', name: 'bench' }) });
  await connection.close();

  // The worker would start a lifecycle for each of them, and the first attempts would wait behind these.
  await client.query(`update quotes set status = 'LOST' where status in ('GENERATED', 'SENT')`);
  const sink = await startNode('bench/reference/sink.mjs');
  bench.after(sink.stop);
  const endpoints = { count: BUSINESSES, url: `${sink.url}/` };
  const to = await subscribers(client, databases, endpoints);
  const toSeven = await subscribers(client, databases, { ...endpoints, events: SEVEN_EVENTS });
  const program = await built('worker/main.ts');
  await writeBundle(path.join(program, '../../workflow-bundle.js'));
  const env = { ...settingsFor(databases, database), TEMPORAL_ADDRESS: temporal.address };
  const worker = await startNode('worker/main.ts', { env });
  bench.after(worker.stop);
  const plainEnv = { TEMPORAL_ADDRESS: temporal.address, SINK_URL: `${sink.url}/`, EVENT_BODY };
  const plain = await startNode('bench/servers/plain-deliveries.ts', { env: plainEnv });
  bench.after(plain.stop);
  return {
    databases,
    database,
    client,
    to,
    toSeven,
    sinkUrl: sink.url,
    worker: worker.pid,
    plain,
    temporal: {
      get pid() {
        return temporal.process.pid;
      },
      stop: () => temporal.stop(),
      async start() {
        temporal = await start();
      },
    },
  };
}

/** Milliseconds from an event's commit until its first attempt begins, by PostgreSQL's clock, one event at a time. */
async function atIdle({ client, to }: World): Promise<readonly number[]> {
  for (let n = 0; n < WARM_UP + ALONE; n++) {
    await storeEvents(client, to, 1);
    await sleep(PAUSE_MS);
  }
  await untilDelivered(client, WARM_UP + ALONE);
  const { rows } = await client.query<{ ms: number }>(
    `select extract(epoch from a.started_at - e.created_at)::float8 * 1000 as ms
       from outbox_events e join webhook_deliveries d on d.event_id = e.id join webhook_attempts a on a.delivery_id = d.id
      where a.number = 1 order by e.sequence offset $1`,
    [WARM_UP],
  );
  return rows.map(({ ms }) => ms);
}

async function drains(bench: Bench, world: World): ReturnType<typeof interleave> {
  const { client, databases, database, sinkUrl } = world;
  const { rows } = await client.query<{ n: number }>('select count(*)::int as n from webhook_deliveries');
  let stored = rows[0]?.n ?? 0;
  const ours = (name: string, to: readonly Subscriber[]): Variant => ({
    name,
    operations: EVENTS,
    pids: [world.worker, world.temporal.pid],
    async run() {
      await storeEvents(client, to, EVENTS);
      stored += EVENTS;
      await untilDelivered(client, stored);
    },
  });
  const variants: Variant[] = [
    ours(OURS, world.to),
    ours(SEVEN, world.toSeven),
    {
      name: PLAIN,
      operations: EVENTS,
      pids: [world.plain.pid, world.temporal.pid],
      async run() {
        const { status } = await fetch(`${world.plain.url}/?count=${EVENTS}`);
        if (status !== 200) throw new Error(`the plain form answered ${status}`);
      },
    },
  ];
  if (bench.peers) variants.push(...(await peers(bench, { client, url: sinkUrl, superUrl: database.superUrl })));
  return interleave(variants, { rounds: bench.rounds, postgres: databases.pid });
}

async function peers(
  bench: Bench,
  { client, url, superUrl }: { readonly client: Client; readonly url: string; readonly superUrl: string },
): Promise<readonly Variant[]> {
  await client.query(
    'create table peer_results (delivery_id bigint primary key, status_code int, at timestamptz default now())',
  );
  await client.query(
    `create table peer_outbox (id bigint generated always as identity primary key, url text, secret text, body text,
       status_code int, done_at timestamptz)`,
  );
  await client.query('create index on peer_outbox (id) where status_code is null');
  const env = { DATABASE_URL: superUrl };
  const graphile = await startNode('bench/reference/deliveries-graphile.mjs', { env });
  const loop = await startNode('bench/reference/deliveries-loop.mjs', { env });
  bench.after(graphile.stop);
  bench.after(loop.stop);
  const secret = 'whsec_of_the_bench_of_the_bench_ok';
  let jobs = 0;
  return [
    {
      name: GRAPHILE,
      operations: EVENTS,
      pids: [graphile.pid],
      async run() {
        await client.query(
          `select count(graphile_worker.add_job('deliver', json_build_object('id', n, 'url', $1::text, 'secret', $2::text, 'body', $3::text)))
             from generate_series($4::int, $5::int) n`,
          [url, secret, EVENT_BODY, jobs + 1, jobs + EVENTS],
        );
        jobs += EVENTS;
        await until(client, 'select count(*)::int as n from peer_results', jobs);
      },
    },
    {
      name: LOOP,
      operations: EVENTS,
      pids: [loop.pid],
      async run() {
        await client.query(
          'insert into peer_outbox (url, secret, body) select $1, $2, $3 from generate_series(1, $4::int)',
          [url, secret, EVENT_BODY, EVENTS],
        );
        await until(client, 'select -count(*)::int as n from peer_outbox where status_code is null', 0);
      },
    },
  ];
}

/** How many times as many writes a second there are without Temporal, round by round. */
async function withoutTemporal(bench: Bench, { databases, database, temporal }: World): Promise<readonly number[]> {
  const api = await startApi(databases, database);
  bench.after(api.stop);
  const headers = { cookie: await database.cookieOf(0), 'content-type': 'application/json' };
  const body = JSON.stringify({ contactName: 'María Pérez' });
  const callers = openCallers(api.url, {
    callers: 4,
    request: () => ({ method: 'POST', path: '/api/clients', headers, body }),
    expect: 201,
  });
  bench.after(callers.close);
  await callers.send(WRITES);
  const took = async () => {
    const startedAt = performance.now();
    await callers.send(WRITES);
    return performance.now() - startedAt;
  };
  const ratios: number[] = [];
  for (let round = 0; round < bench.rounds; round++) {
    const normal = await took();
    await temporal.stop();
    const without = await took();
    await temporal.start();
    ratios.push(normal / without);
  }
  return ratios;
}

const untilDelivered = (client: Client, count: number): Promise<void> =>
  until(client, `select count(*)::int as n from webhook_deliveries where status = 'DELIVERED'`, count);

async function until(client: Client, sql: string, wanted: number): Promise<void> {
  for (;;) {
    const { rows } = await client.query<{ n: number }>(sql);
    if ((rows[0]?.n ?? 0) >= wanted) return;
    await sleep(POLL_MS);
  }
}
