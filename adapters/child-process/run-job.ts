import { fork } from 'node:child_process';

/**
 * Runs jobs whose library cannot be interrupted in child processes with limits (`answer-job.ts` is the child's side).
 */

/** A request has 9.7 s. */
const TOTAL_MS = 9_000;

/** The machine is too busy, or the caller has disconnected: the job itself may be valid. */
export class ChildUnavailable extends Error {
  override readonly name = 'ChildUnavailable';
}

/** The job needs more CPU time or memory than it may use. */
export class LimitExceeded extends Error {
  override readonly name = 'LimitExceeded';
}

export interface ChildOptions {
  readonly heapMb: number;
  /** Kills the child when it aborts. */
  readonly signal: AbortSignal | undefined;
  /** Time limit with the start of the process, however busy the machine is. By default what a request can wait. */
  readonly totalMs?: number;
}

/**
 * The answer to a job of the child whose module is `entry`, compiled or TypeScript. Throws LimitExceeded and
 * ChildUnavailable.
 */
export function runJob<Job, Answer>(
  entry: URL,
  job: Job,
  { heapMb, signal, totalMs = TOTAL_MS }: ChildOptions,
): Promise<Answer> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) throw new ChildUnavailable('the caller disconnected');
    const isSource = entry.pathname.endsWith('.ts');
    const child = fork(isSource ? new URL('./from-source.mjs', import.meta.url) : entry, isSource ? [entry.href] : [], {
      // The child gets nothing of our environment, which holds secrets.
      env: {},
      execArgv: [`--max-old-space-size=${heapMb}`],
      serialization: 'advanced',
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    });
    const end = (settle: () => void) => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', leave);
      child.removeAllListeners();
      child.kill('SIGKILL');
      settle();
    };
    const fail = (error: Error) => end(() => reject(error));
    const leave = () => fail(new ChildUnavailable('the caller disconnected'));
    const timer = setTimeout(() => fail(new ChildUnavailable('the machine is too busy')), totalMs);
    signal?.addEventListener('abort', leave, { once: true });
    const notStarted = () => fail(new ChildUnavailable('the process did not start'));
    child.once('error', notStarted);
    child.once('exit', notStarted);
    // It is ready.
    child.once('message', () => {
      child.off('exit', notStarted);
      child.once('exit', () => fail(new LimitExceeded('the job exceeded its CPU time or memory')));
      // The child is ours: its one answer has the type that its entry declares.
      child.once('message', (answer) => end(() => resolve(answer as Answer)));
      child.send(job as object);
    });
  });
}
