import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ALLOCATOR, nodeFlags } from '../dev/memory.ts';

/** One of our own processes, run as in production, that a test may stop or kill. */
export interface OwnProcess {
  readonly pid: number;
  /** Its output so far, both streams. */
  output(): string;
  exitCode(): number | null;
  /** The signal that ended it, if any. */
  endedBy(): NodeJS.Signals | null;
  /** Sends it a message, for entry points of tests. */
  tell(message: object): void;
  onMessage(listener: (message: unknown) => void): void;
  /** SIGTERM: it drains; resolves when it has ended. */
  stop(): Promise<void>;
  /** kill -9; resolves when it has ended. */
  kill(): Promise<void>;
}

export interface StartOptions {
  readonly waitFor?: 'ready' | 'exit';
  readonly root?: string | undefined;
  /** Folder of the compiled service, of a runner that starts processes itself. */
  readonly built?: string;
  /** Node's own flags: limits, and modules to preload. */
  readonly node?: readonly string[] | undefined;
}

const ROOT = fileURLToPath(new URL('../', import.meta.url));
/** Folder of the compiled service, when the runner of the suites has compiled it. */
const BUILT = process.env['TEST_BUILT']; // oxlint-disable-line node/no-process-env -- set by the runners of suites, not a setting of the product

/** Folder of the bundled tests and of the processes that die at a chosen point. */
const BUNDLE = process.env['TEST_BUNDLE']; // oxlint-disable-line node/no-process-env -- likewise

/** Node's arguments for an entry point such as "api/main.ts": compiled when the runner of the suites did so. */
export const entryArguments = (entry: string, built = BUILT): readonly string[] => {
  const folder = entry.startsWith('tests/') ? BUNDLE : built;
  return folder === undefined
    ? ['--import', import.meta.resolve('tsx'), join(ROOT, entry)]
    : [join(folder, entry.replace(/\.ts$/, '.js'))];
};

/**
 * Starts an entry point such as "api/main.ts", of this source or a copy of it in `root`, and waits until it reports
 * readiness, or ends.
 */
export async function startOwnProcess(
  entry: string,
  env: Record<string, string>,
  { waitFor = 'ready', root, built, node = [] }: StartOptions = {},
): Promise<OwnProcess> {
  const code = root === undefined ? entryArguments(entry, built) : ['--import', 'tsx', entry];
  const child = spawn(process.execPath, [...nodeFlags(entry), ...node, ...code], {
    cwd: root ?? ROOT,
    env: { PATH: process.env['PATH'], ...ALLOCATOR, ...env },
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  });
  let output = '';
  const collect = (chunk: Buffer) => (output += chunk.toString());
  child.stdout?.on('data', collect);
  child.stderr?.on('data', collect);
  const exited = once(child, 'exit');
  const ready = once(child, 'message');
  const first = await Promise.race([ready.then(() => 'ready'), exited.then(() => 'exit')]);
  if (waitFor === 'ready' && first === 'exit') throw new Error(`${entry} ended before it was ready\n${output}`);

  const end = (signal: NodeJS.Signals) => async () => {
    if (isRunning(child)) child.kill(signal);
    await exited;
  };
  return {
    pid: child.pid ?? 0,
    output: () => output,
    exitCode: () => child.exitCode,
    endedBy: () => child.signalCode,
    tell: (message) => void child.send(message),
    onMessage: (listener) => void child.on('message', listener),
    stop: end('SIGTERM'),
    kill: end('SIGKILL'),
  };
}

const isRunning = (child: ChildProcess): boolean => child.exitCode === null && child.signalCode === null;
