import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';

/** Tests that run in a process of their own. */
export interface Suite {
  readonly name: string;
  readonly files: readonly string[];
  /** Beside the process's own environment. */
  readonly env?: Readonly<NodeJS.ProcessEnv>;
  /** Arguments for Mocha. */
  readonly options?: readonly string[];
  /** After so many it is ended, with all that it started, and has failed: 60 when left out, ten times what two cores need. */
  readonly minutes?: number | undefined;
}

/** Node's arguments for Mocha in the same process: `npx` and Mocha's own wrapper would each start another Node first. */
const MOCHA = ['--import', 'tsx/esm', createRequire(import.meta.url).resolve('mocha/lib/cli/cli.js')];

interface Result {
  readonly passed: number;
  readonly failed: number;
  /** What Mocha says of the tests that failed; empty when none did. */
  readonly failures: string;
}

/**
 * Runs suites side by side, as many at a time as there are lanes, in the order given: some tests mostly wait, for servers
 * that start, hang and come back. `alone` are those that run when all others are through, one after the other.
 * Failures are repeated at the end. The last line is the sum: "N passed, N failed"; the exit code says whether any failed.
 */
export async function runSuites(
  suites: readonly Suite[],
  { lanes, alone = [] }: { readonly lanes: number; readonly alone?: readonly Suite[] },
): Promise<void> {
  const waiting = [...suites];
  const results: Result[] = [];
  await Promise.all(
    Array.from({ length: lanes }, async (_, lane) => {
      const env = { DRAWN_PORTS: portsOf(lane, lanes) };
      for (let suite = waiting.shift(); suite; suite = waiting.shift()) {
        results.push(await run({ ...suite, env: { ...env, ...suite.env } }));
      }
    }),
  );
  for (const suite of alone) results.push(await run(suite));
  const passed = sum(results.map((result) => result.passed));
  const failed = sum(results.map((result) => result.failed));
  if (failed > 0) console.log(`\nFailed:\n${results.map(({ failures }) => failures).join('')}`);
  console.log(`\n${passed} passed, ${failed} failed`);
  process.exitCode = failed > 0 ? 1 : 0;
}

/** A lane's part of the ports that servers are started on (`dev/ports.ts`): what one lane frees, the other never takes. */
function portsOf(lane: number, lanes: number): string {
  const [first, count] = [20_000, Math.floor(12_000 / lanes)];
  return `${first + lane * count}-${first + (lane + 1) * count}`;
}

/** Runs one suite and reads its closing line. A suite that ends without one, or skips a test, has failed. */
async function run({ name, files, env, options = [], minutes = 60 }: Suite): Promise<Result> {
  const startedAt = Date.now();
  const child = spawn(process.execPath, [...MOCHA, ...files, ...options], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, ...env },
    // A group of its own, so that it can be ended with all that it started.
    detached: true,
  });
  let output = '';
  const collect = (chunk: Buffer) => (output += chunk.toString());
  child.stdout.on('data', collect);
  child.stderr.on('data', collect);
  const tellGroup = (signal: NodeJS.Signals) => child.pid !== undefined && process.kill(-child.pid, signal);
  const limit = setTimeout(() => {
    output += `\n${name} did not end within ${minutes} minutes\n`;
    tellGroup('SIGKILL');
  }, minutes * 60_000);
  let isInterrupted = false;
  const interrupt = () => {
    isInterrupted = true;
    tellGroup('SIGINT');
  };
  process.once('SIGINT', interrupt);
  const [code]: unknown[] = await once(child, 'close');
  clearTimeout(limit);
  process.off('SIGINT', interrupt);
  if (isInterrupted) process.exit(130);

  // Printed at once when it ended: two suites run at the same time.
  const seconds = ((Date.now() - startedAt) / 1000).toFixed(1);
  const cpu = cpuOfChildren();
  const rule = `\n── ${name} · ${seconds} s${cpu === undefined ? '' : ` · ${(cpu - counted).toFixed(0)} s of CPU`} ${'─'.repeat(40 - name.length)}\n`;
  counted = cpu ?? 0;
  console.log(`${rule}${output.trimEnd()}`);
  const [, passes, failures, skipped] = /^(\d+) passed, (\d+) failed(?:, (\d+) skipped)?$/m.exec(output) ?? [];
  const unexplained = passes === undefined || (code !== 0 && Number(failures) === 0) ? 1 : 0;
  const failed = Number(failures ?? 0) + Number(skipped ?? 0) + unexplained;
  // From Mocha's "1 failing" on; the end of whatever was said when there is none.
  const told = /^ *\d+ failing$[\s\S]*/m.exec(output)?.[0] ?? output.slice(-2000);
  return { passed: Number(passes ?? 0), failed, failures: failed > 0 ? `${rule}${told.trimEnd()}\n` : '' };
}

/** Of the suites that have ended. */
let counted = 0;

/** CPU seconds of all children that have ended, and of theirs; undefined where the system has no `/proc`. */
function cpuOfChildren(): number | undefined {
  try {
    // Fields 16 and 17 of proc_pid_stat(5), in ticks of 10 ms; the name in field 2 may hold spaces.
    const fields = readFileSync('/proc/self/stat', 'utf8').split(') ')[1]?.split(' ') ?? [];
    return (Number(fields[13]) + Number(fields[14])) / 100;
  } catch {
    return undefined;
  }
}

const sum = (numbers: readonly number[]): number => numbers.reduce((total, number) => total + number, 0);
