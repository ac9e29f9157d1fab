import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

export interface RunOptions {
  readonly cwd?: string;
  /** In addition to the environment of this process. */
  readonly env?: Readonly<Record<string, string>>;
}

/** Runs a program and returns its output; throws an error with both streams if it fails. */
export async function run(
  program: string,
  args: readonly string[],
  { cwd, env }: RunOptions = {},
): Promise<{ readonly stdout: string; readonly stderr: string }> {
  try {
    return await promisify(execFile)(program, [...args], {
      ...(cwd !== undefined && { cwd }),
      env: { ...process.env, ...env },
      maxBuffer: 64 * 1024 ** 2,
    });
  } catch (error) {
    const { stdout = '', stderr = '' } = error as { stdout?: string; stderr?: string }; // what execFile adds
    throw new Error(`${program} ${args.join(' ')} failed\n${stdout}\n${stderr}`, { cause: error });
  }
}
