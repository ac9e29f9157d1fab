import { fork } from 'node:child_process';
import { createFairQueue, type PermitRequest } from '../fair-queue.ts';
import { SpreadsheetRefused } from './refused.ts';
import type { TableAnswer, TableJob } from './table-child.ts';
import { isZip, readTable, type Table } from './table.ts';

/** Time limit for the process of a file, with its start on a busy machine; a request has 9.7 s. */
const READ_MS = 9_000;
const HEAP_MB = 384;

const TOO_SLOW = 'El archivo es demasiado grande o complejo para leerlo; divídalo o guárdelo como CSV';

/** Each may use a core for seconds. */
const QUEUE = { permits: 2, maxWaitingPerKey: 4, maxWaiting: 32, retryAfterSeconds: 2 } as const;

/** The machine is too busy to start the process, or the caller has disconnected: the file may be valid. */
export class ReadingUnavailable extends Error {
  override readonly name = 'ReadingUnavailable';
}

export interface Spreadsheets {
  /**
   * Reads an uploaded CSV or XLSX file, the latter in a process that is killed after some seconds or when the request's
   * signal aborts. Throws SpreadsheetRefused with a sentence, and ReadingUnavailable.
   */
  read(job: TableJob, permit: PermitRequest): Promise<Table>;
}

export function createSpreadsheets(): Spreadsheets {
  const queue = createFairQueue(QUEUE);
  return { read: (job, permit) => queue.run(permit, () => read(job, permit.signal)) };
}

/** CSV is parsed here, piece by piece: other requests are served meanwhile. */
const read = (job: TableJob, signal: AbortSignal | undefined): Promise<Table> =>
  isZip(job.file) ? readInChild(job, signal) : readTable(job.file, job.kind);

function readInChild(job: TableJob, signal: AbortSignal | undefined): Promise<Table> {
  const entry = import.meta.url.endsWith('.ts') ? './table-child-from-source.mjs' : './table-child.js';
  return new Promise((resolve, reject) => {
    if (signal?.aborted) throw new ReadingUnavailable('the caller disconnected');
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
    const tooSlow = () => fail(new SpreadsheetRefused(TOO_SLOW));
    const giveUp = () => fail(new ReadingUnavailable('the reading process did not start'));
    const leave = () => fail(new ReadingUnavailable('the caller disconnected'));
    signal?.addEventListener('abort', leave, { once: true });
    let isStarted = false;
    const timer = setTimeout(() => (isStarted ? tooSlow() : giveUp()), READ_MS);
    child.on('message', (answer: TableAnswer | 'ready') => {
      if (answer === 'ready') {
        isStarted = true;
        child.send(job);
      } else if ('table' in answer) end(() => resolve(answer.table));
      else fail(new SpreadsheetRefused(answer.refused));
    });
    child.once('error', giveUp);
    // Out of memory, most likely.
    child.once('exit', tooSlow);
  });
}
