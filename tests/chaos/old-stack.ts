import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, openSync, readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { checkOut, resolveCommit, ROOT } from '../../bench/lib/commit.ts';
import type { StackFile } from '../../dev/stack-file.ts';
import { eventually } from '../eventually.ts';

/** The whole product as `npm start` of some revision runs it on a data folder. */
export interface StartedStack extends StackFile {
  /** `npm run stop`: every process ends as an operator would end it. */
  readonly stop: () => Promise<void>;
}

const START_TIMEOUT_MS = 10 * 60_000;

/** A copy of a commit with packages and the servers' binaries, in that folder. */
export function oldVersion(commit: string, folder: string): string {
  const source = checkOut(resolveCommit(commit), folder);
  if (existsSync(join(ROOT, '.tools'))) symlinkSync(join(ROOT, '.tools'), join(source, '.tools'));
  return source;
}

/** Starts the version in `source` and waits until its table of addresses is written. */
export async function startStack(
  source: string,
  dataDir: string,
  settings: Readonly<Record<string, string>>,
): Promise<StartedStack> {
  const env = { ...process.env, ...settings, DATA_DIR: dataDir };
  const log = `${dataDir}.log`;
  const output = openSync(log, 'a');
  const child = spawn('npm', ['start', '--silent'], { cwd: source, env, stdio: ['ignore', output, output] });
  const exited = once(child, 'exit');
  const file = join(dataDir, 'stack.json');
  await eventually(() => {
    if (!existsSync(file) && child.exitCode === null) throw new Error(`no ${file} yet; ${log}`);
  }, START_TIMEOUT_MS);
  if (!existsSync(file)) throw new Error(`npm start ended: ${readFileSync(log, 'utf8').slice(-3_000)}`);
  // The launchers of all versions write these members.
  const stack = JSON.parse(readFileSync(file, 'utf8')) as StackFile;
  return {
    ...stack,
    async stop() {
      await promisify(execFile)('npm', ['run', '--silent', 'stop'], { cwd: source, env });
      await exited;
    },
  };
}
