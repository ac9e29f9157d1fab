import { spawn } from 'node:child_process';
import { once } from 'node:events';

/**
 * `npm test`: every suite, each in a process of its own, in two lanes side by side: the second mostly waits, for servers
 * that start, hang and come back. Names given on the command line choose suites: `npm test -- domain api`. The last
 * line is the sum: "N passed, N failed".
 */
const LANES = [
  ['domain', 'adapters', 'workflows', 'db', 'activities', 'api'],
  ['journey', 'browser', 'dev'],
] as const;

interface Result {
  readonly passed: number;
  readonly failed: number;
}

const chosen = process.argv.slice(2);
const suites: readonly string[] = LANES.flat();
const unknown = chosen.filter((name) => !suites.includes(name));
if (unknown.length > 0) throw new Error(`no suite ${unknown.join(', ')}; the suites are: ${suites.join(', ')}`);

const results = await Promise.all(
  LANES.map((lane) => runInTurn(lane.filter((suite) => chosen.length === 0 || chosen.includes(suite)))),
);
const passed = sum(results.flat().map((result) => result.passed));
const failed = sum(results.flat().map((result) => result.failed));
console.log(`\n${passed} passed, ${failed} failed`);
process.exitCode = failed > 0 ? 1 : 0;

async function runInTurn(lane: readonly string[]): Promise<readonly Result[]> {
  const done: Result[] = [];
  for (const suite of lane) done.push(await run(suite));
  return done;
}

/** Runs one suite and reads its closing line. A suite that ends without one, or skips a test, has failed. */
async function run(suite: string): Promise<Result> {
  const startedAt = Date.now();
  const child = spawn('npx', ['mocha', `tests/${suite}/**/*.test.ts`], { stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  const collect = (chunk: Buffer) => (output += chunk.toString());
  child.stdout.on('data', collect);
  child.stderr.on('data', collect);
  const [code]: unknown[] = await once(child, 'close');

  // Printed at once when it ended: two suites run at the same time.
  const seconds = ((Date.now() - startedAt) / 1000).toFixed(1);
  console.log(`\n── ${suite} · ${seconds} s ${'─'.repeat(50 - suite.length)}\n${output.trimEnd()}`);
  const [, passes, failures, skipped] = /^(\d+) passed, (\d+) failed(?:, (\d+) skipped)?$/m.exec(output) ?? [];
  if (passes === undefined) return { passed: 0, failed: 1 };
  const unexplained = code !== 0 && Number(failures) === 0 ? 1 : 0;
  return { passed: Number(passes), failed: Number(failures) + Number(skipped ?? 0) + unexplained };
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
