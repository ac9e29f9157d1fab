import { fork } from 'node:child_process';
import { createFairQueue, type PermitRequest } from '../fair-queue.ts';
import { SpreadsheetRefused } from './refused.ts';
import type { TableAnswer, TableJob } from './table-child.ts';
import type { Table } from './table.ts';

/** Time limits for reading a file, and for the start of its process on a busy machine; a request has 9.7 s in all. */
const READ_MS = 6_500;
const START_MS = 3_000;
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
   * Reads an uploaded CSV or XLSX file in a process of its own, which is killed after some seconds or when the request's
   * signal aborts. Throws SpreadsheetRefused with a sentence, and ReadingUnavailable.
   */
  read(job: TableJob, permit: PermitRequest): Promise<Table>;
}

export function createSpreadsheets(): Spreadsheets {
  const queue = createFairQueue(QUEUE);
  return { read: (job, permit) => queue.run(permit, () => readInChild(job, permit.signal)) };
}

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
    let timer = setTimeout(giveUp, START_MS);
    child.on('message', (answer: TableAnswer | 'ready') => {
      if (answer === 'ready') {
        clearTimeout(timer);
        child.send(job);
        timer = setTimeout(tooSlow, READ_MS);
      } else if ('table' in answer) end(() => resolve(answer.table));
      else fail(new SpreadsheetRefused(answer.refused));
    });
    child.once('error', giveUp);
    // Out of memory, most likely.
    child.once('exit', tooSlow);
  });
}
