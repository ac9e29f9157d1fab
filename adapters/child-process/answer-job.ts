import { getPriority, setPriority } from 'node:os';
import { Worker } from 'node:worker_threads';

/** Milliseconds; longer than the parent lets it live. */
const MAX_LIFETIME_MS = 15_000;
/** A job may use a core for seconds, so it has a low priority. */
const NICE = 5;

/** A thread of its own, because the job blocks the main one; and a killed parent does not kill its child. */
const WATCHER = `
  const { parentPort, workerData } = require('node:worker_threads');
  const end = () => process.kill(process.pid, 'SIGKILL');
  setTimeout(end, workerData.lifetimeMs);
  parentPort.once('message', (before) => {
    setInterval(() => {
      const { user, system } = process.cpuUsage(before);
      if (user + system > workerData.cpuMs * 1000) end();
    }, 50);
  });
`;

/**
 * Makes this process answer the one job that its parent sends. It is killed when the job has used `cpuMs` milliseconds
 * of CPU time: not of the clock, so that a busy machine refuses no valid file.
 */
export function answerJob<Job, Answer>(
  cpuMs: number,
  answer: (job: Job) => Promise<Answer>,
  { nice = NICE }: { readonly nice?: number } = {},
): void {
  const watcher = new Worker(WATCHER, { eval: true, workerData: { lifetimeMs: MAX_LIFETIME_MS, cpuMs } });
  watcher.unref();
  process.once('message', (job: Job) => {
    // Neither priority nor CPU time of the start count: on a busy machine it alone could use them up.
    if (getPriority() < nice) setPriority(nice);
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread, not a window
    watcher.postMessage(process.cpuUsage());
    void answer(job).then((result) => process.send?.(result, () => process.exit(0)));
  });
  process.once('disconnect', () => process.exit(0));
  process.send?.('ready');
}
