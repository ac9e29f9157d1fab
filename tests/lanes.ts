import { spawn } from 'node:child_process';
import { once } from 'node:events';

/** Tests that run in a process of their own. */
export interface Suite {
  readonly name: string;
  readonly files: readonly string[];
  /** Beside the process's own environment. */
  readonly env?: Readonly<Record<string, string>>;
  /** Arguments for Mocha. */
  readonly options?: readonly string[];
}

interface Result {
  readonly passed: number;
  readonly failed: number;
}

/**
 * Runs suites lane by lane, the lanes side by side: some tests mostly wait, for servers that start, hang and come back.
 * The last line is the sum: "N passed, N failed"; the exit code tells whether any failed.
 */
export async function runLanes(lanes: readonly (readonly Suite[])[]): Promise<void> {
  const results = await Promise.all(lanes.map(runInTurn));
  const passed = sum(results.flat().map((result) => result.passed));
  const failed = sum(results.flat().map((result) => result.failed));
  console.log(`\n${passed} passed, ${failed} failed`);
  process.exitCode = failed > 0 ? 1 : 0;
}

async function runInTurn(lane: readonly Suite[]): Promise<readonly Result[]> {
  const done: Result[] = [];
  for (const suite of lane) done.push(await run(suite));
  return done;
}

/** Runs one suite and reads its closing line. A suite that ends without one, or skips a test, has failed. */
async function run({ name, files, env, options = [] }: Suite): Promise<Result> {
  const startedAt = Date.now();
  const child = spawn('npx', ['mocha', ...files, ...options], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, ...env },
  });
  let output = '';
  const collect = (chunk: Buffer) => (output += chunk.toString());
  child.stdout.on('data', collect);
  child.stderr.on('data', collect);
  const [code]: unknown[] = await once(child, 'close');

  // Printed at once when it ended: two suites run at the same time.
  const seconds = ((Date.now() - startedAt) / 1000).toFixed(1);
  console.log(`\n── ${name} · ${seconds} s ${'─'.repeat(50 - name.length)}\n${output.trimEnd()}`);
  const [, passes, failures, skipped] = /^(\d+) passed, (\d+) failed(?:, (\d+) skipped)?$/m.exec(output) ?? [];
  if (passes === undefined) return { passed: 0, failed: 1 };
  const unexplained = code !== 0 && Number(failures) === 0 ? 1 : 0;
  return { passed: Number(passes), failed: Number(failures) + Number(skipped ?? 0) + unexplained };
}

const sum = (numbers: readonly number[]): number => numbers.reduce((total, number) => total + number, 0);
