import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { entryArguments } from '../own-process.ts';

export interface Answer {
  readonly code: number | null;
  /** Standard output. */
  readonly out: string;
  /** Standard error. */
  readonly complaint: string;
}

const ROOT = fileURLToPath(new URL('../../', import.meta.url));

/** A command that is running. */
export interface RunningCommand {
  readonly answer: Promise<Answer>;
  /** kill -9; resolves when it has ended. */
  kill(): Promise<void>;
}

/** Runs a command of the service as an operator does, with these settings and no others. */
export const command = (env: Readonly<Record<string, string>>, ...words: readonly string[]): Promise<Answer> =>
  beginCommand(env, ...words).answer;

/** Begins such a command, which the test may kill. */
export function beginCommand(env: Readonly<Record<string, string>>, ...words: readonly string[]): RunningCommand {
  const child = spawn(process.execPath, [...entryArguments('ops/cli.ts'), ...words], {
    cwd: ROOT,
    env: { PATH: process.env['PATH'], ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const closed = once(child, 'close');
  const answered = async (): Promise<Answer> => {
    const [out, complaint] = await Promise.all([text(child.stdout), text(child.stderr)]);
    await closed;
    return { code: child.exitCode, out, complaint };
  };
  return {
    answer: answered(),
    async kill() {
      child.kill('SIGKILL');
      await closed;
    },
  };
}
