import { openCallers } from './lib/callers.ts';
import { interleave, type Samples, times, type Variant } from './lib/measure.ts';
import { type ServerUnderTest, settingsFor, startNode } from './lib/processes.ts';
import type { Bench, Findings, Ratio, Row } from './lib/row.ts';
import { DATA_SETS } from './lib/seed.ts';

const CALLERS = 8;
const COUNT = 4_000;

/** Goal 1: what a request costs before it does anything. Peers answer the same few bytes with no session at all. */
export const row: Row = {
  name: 'chain',
  title: 'an authenticated endpoint that responds immediately',
  quick: false,
  shortfall: `The table shows the cost of Koa and its router alone. Removed one at a time, parsing and validating the query costs 10 µs (NFC, Ajv, defaults), a dozen security headers 8, the log line with its redaction 5 to 15, the two timers of the deadline 4; the rest is cookie, permission, plan, and promises between the parts. Decrypted cookies are cached; the first decryption of each costs 70 µs more. Fewer headers and sampled logs would reduce the cost; both are worth it.`,
  run: measureChain,
};

const OURS = 'the chain, no table';
const WITH_SESSION = 'the chain with its session read';
const NODE = 'node:http';

async function measureChain(bench: Bench): Promise<Findings> {
  const databases = await bench.databases();
  const database = await databases.shared(DATA_SETS.many);
  const cookie = await database.cookieOf(0);
  const start = async (...given: Parameters<typeof startNode>): Promise<ServerUnderTest> => {
    const server = await startNode(...given);
    bench.after(server.stop);
    return server;
  };
  const called = (name: string, { pid, url }: ServerUnderTest, path: string): Variant => {
    const callers = openCallers(url, { callers: CALLERS, request: () => ({ path, headers: { cookie } }) });
    bench.after(callers.close);
    return { name, operations: COUNT, pids: [pid], run: async () => void (await callers.send(COUNT)) };
  };
  const hello = (name: string) => start('bench/reference/hello.mjs', { args: [name] });

  const chain = await start('bench/servers/chain.ts', { env: settingsFor(databases, database) });
  const variants = [
    called(NODE, await hello('node'), '/hello'),
    called('Koa and its router', await hello('koa'), '/hello'),
    called(OURS, chain, '/api/hello-from-memory?page=1&limit=20'),
    called(WITH_SESSION, chain, '/api/hello?page=1&limit=20'),
  ];
  for (const name of bench.peers ? ['express', 'fastify', 'nest'] : []) {
    variants.push(called(name, await hello(name), '/hello?page=1&limit=20'));
  }
  const samples = await interleave(variants, { rounds: bench.rounds, warm: 2, postgres: databases.pid });
  return {
    samples: [samples],
    ratios: [
      against(samples, NODE, { least: 0.35 }),
      ...(bench.peers ? [against(samples, 'express', { least: 1 }), against(samples, 'nest', { least: 2 })] : []),
    ],
    notes: bench.peers ? [] : ['Without Express, Fastify and Nest (`--no-peers`).'],
  };
}

/** By the server's CPU alone; these candidates do not call PostgreSQL. */
const against = (samples: Samples, than: string, goal: Ratio['goal']): Ratio => ({
  what: `${OURS}, against ${than}`,
  values: times(samples, OURS, than, 'nodeUs'),
  ...(goal && { goal }),
});
