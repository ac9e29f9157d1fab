import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join, resolve } from 'node:path';
import { bundleTests } from './bundle.mjs';

/** Tests that run in one process. */
export interface Suite {
  readonly name: string;
  /** Paths from the repository. */
  readonly files: readonly string[];
  /** In addition to the process's own environment. */
  readonly env?: Readonly<NodeJS.ProcessEnv>;
  /** Arguments for Mocha. */
  readonly options?: readonly string[];
  /**
   * Minutes after which it is killed with all its children, and has failed: by default 60, ten times what two cores
   * need.
   */
  readonly minutes?: number | undefined;
}

/**
 * Node's arguments for Mocha in the same process: `npx` and Mocha's own wrapper would each start another Node first. No
 * loader of TypeScript: the test files are bundled.
 */
const MOCHA = ['--enable-source-maps', createRequire(import.meta.url).resolve('mocha/lib/cli/cli.js')];

export interface RunOptions {
  /** Folder of the compiled product. */
  readonly built: string;
  readonly concurrency: number;
  readonly alone?: readonly Suite[];
}

interface Result {
  readonly passed: number;
  readonly failed: number;
  /** Mocha's report of the failed tests; empty when none failed. */
  readonly failures: string;
}

/**
 * Runs suites in parallel, in the given order, as many as there are workers. `alone` are run afterwards, one after the
 * other. Failures are repeated at the end. The last line is the sum: "N passed, N failed"; the exit code says whether
 * any failed.
 */
export async function runSuites(
  suites: readonly Suite[],
  { built, concurrency, alone = [] }: RunOptions,
): Promise<void> {
  // Below the repository, so that packages are found.
  await mkdir('.compiled', { recursive: true });
  const bundle = resolve(await mkdtemp('.compiled/tests-'));
  try {
    await bundleTests(
      [...suites.flatMap(({ files }) => files), ...alone.flatMap(({ files }) => files), ...(await ownProcesses())],
      { outdir: bundle, built },
    );
    const bundled = (suite: Suite): Suite => ({
      ...suite,
      files: suite.files.map((file) => join(bundle, file.replace(/\.ts$/, '.js'))),
      env: { TEST_BUILT: built, TEST_BUNDLE: bundle, ...suite.env },
    });
    await runBundled(suites.map(bundled), { concurrency, alone: alone.map(bundled) });
  } finally {
    await rm(bundle, { recursive: true, force: true });
  }
}

/** Entry points of processes: those that die at a chosen point, and one that draws PDFs. */
async function ownProcesses(): Promise<readonly string[]> {
  const files = await readdir('tests', { recursive: true });
  return files.filter((file) => /\b(dying-[^/]+|pdf-digests)\.ts$/.test(file)).map((file) => join('tests', file));
}

async function runBundled(
  suites: readonly Suite[],
  { concurrency, alone }: { readonly concurrency: number; readonly alone: readonly Suite[] },
): Promise<void> {
  const waiting = [...suites];
  const results: Result[] = [];
  await Promise.all(
    Array.from({ length: concurrency }, async (_, worker) => {
      const env = { DRAWN_PORTS: portsOf(worker, concurrency) };
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

/** A worker's own range of server ports (`dev/ports.ts`): what one worker frees, no other takes. */
function portsOf(worker: number, concurrency: number): string {
  const [first, count] = [20_000, Math.floor(12_000 / concurrency)];
  return `${first + worker * count}-${first + (worker + 1) * count}`;
}

/** Runs one suite and parses its last line. A suite that ends without one, or skips a test, has failed. */
async function run({ name, files, env, options = [], minutes = 60 }: Suite): Promise<Result> {
  const startedAt = Date.now();
  const child = spawn(process.execPath, [...MOCHA, ...files, ...options], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, ...env },
    // A process group, so that it can be killed with all its children.
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

  // Printed at once when it ended, because suites run in parallel.
  const seconds = ((Date.now() - startedAt) / 1000).toFixed(1);
  const cpu = cpuOfChildren();
  const rule = `\n── ${name} · ${seconds} s${cpu === undefined ? '' : ` · ${(cpu - counted).toFixed(0)} s of CPU`} ${'─'.repeat(40 - name.length)}\n`;
  counted = cpu ?? 0;
  console.log(`${rule}${output.trimEnd()}`);
  const [, passes, failures, skipped] = /^(\d+) passed, (\d+) failed(?:, (\d+) skipped)?$/m.exec(output) ?? [];
  const unexplained = passes === undefined || (code !== 0 && Number(failures) === 0) ? 1 : 0;
  const failed = Number(failures ?? 0) + Number(skipped ?? 0) + unexplained;
  // From Mocha's "1 failing" on; the end of the output when there is none.
  const summary = /^ *\d+ failing$[\s\S]*/m.exec(output)?.[0] ?? output.slice(-2000);
  return { passed: Number(passes ?? 0), failed, failures: failed > 0 ? `${rule}${summary.trimEnd()}\n` : '' };
}

/** Of finished suites. */
let counted = 0;

/** CPU seconds of all ended children and their descendants; undefined on systems without `/proc`. */
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
