import { fork } from 'node:child_process';
import type { ChildAnswer, ChildMessage } from './spreadsheet-child.ts';

/** Time limit for the process of a file, with its start on a busy machine; a request has 9.7 s. */
const LIFETIME_MS = 9_000;
const HEAP_MB = 384;

/** The machine is too busy to start the process, or the caller has disconnected. */
export class SpreadsheetsUnavailable extends Error {
  override readonly name = 'SpreadsheetsUnavailable';
}

/** Sends a message to the process; resolves when it was written, so that a slow process slows its sender. */
export type Send = (message: ChildMessage) => Promise<void>;

/**
 * Starts a process for one spreadsheet, lets `talk` send its messages when it is ready, and returns its answer. The
 * process is killed after some seconds, or when the caller's signal aborts. Throws the result of `tooHeavy` when a
 * started process exceeds its time or memory, and SpreadsheetsUnavailable.
 */
export function inChild(
  talk: (send: Send) => Promise<void>,
  { signal, tooHeavy }: { readonly signal: AbortSignal | undefined; readonly tooHeavy: () => Error },
): Promise<ChildAnswer> {
  const entry = import.meta.url.endsWith('.ts') ? './spreadsheet-child-from-source.mjs' : './spreadsheet-child.js';
  return new Promise((resolve, reject) => {
    if (signal?.aborted) throw new SpreadsheetsUnavailable('the caller disconnected');
    const child = fork(new URL(entry, import.meta.url), [], {
      // The child gets nothing of our environment, which holds secrets.
      env: {},
      execArgv: [`--max-old-space-size=${HEAP_MB}`],
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
    const giveUp = () => fail(new SpreadsheetsUnavailable('the process did not start'));
    const leave = () => fail(new SpreadsheetsUnavailable('the caller disconnected'));
    signal?.addEventListener('abort', leave, { once: true });
    let isStarted = false;
    const timer = setTimeout(() => (isStarted ? fail(tooHeavy()) : giveUp()), LIFETIME_MS);
    const send: Send = (message) =>
      new Promise((sent, failed) => {
        child.send(message, (error) => (error ? failed(error) : sent()));
      });
    child.on('message', (answer: ChildAnswer | 'ready') => {
      if (answer !== 'ready') return end(() => resolve(answer));
      isStarted = true;
      talk(send).catch(fail);
    });
    child.once('error', giveUp);
    // Out of memory, most likely.
    child.once('exit', () => fail(tooHeavy()));
  });
}
