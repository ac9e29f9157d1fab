import { ChildUnavailable, LimitExceeded, runChild, type Send } from '../child-process/run-job.ts';
import { createFairQueue, type PermitRequest } from '../fair-queue.ts';
import { SpreadsheetRefused } from './refused.ts';
import type { ChildAnswer, ChildMessage, TableJob } from './spreadsheet-child.ts';
import { isZip, readTable, type Table } from './table.ts';

const CHILD = new URL(`./spreadsheet-child${import.meta.url.endsWith('.ts') ? '.ts' : '.js'}`, import.meta.url);
const HEAP_MB = 384;
import type { Column, Row } from './xlsx-file.ts';

const TOO_SLOW = 'El archivo es demasiado grande o complejo para leerlo; divídalo o guárdelo como CSV';

/** Each may use a core for seconds. */
const QUEUE = { permits: 2, maxWaitingPerKey: 4, maxWaiting: 32, retryAfterSeconds: 2 } as const;

export interface Spreadsheets {
  /**
   * Reads an uploaded CSV or XLSX file, the latter in a process that is killed after eight seconds of CPU time or when
   * the request's signal aborts. Throws SpreadsheetRefused with a sentence, and ChildUnavailable.
   */
  read(job: TableJob, permit: PermitRequest): Promise<Table>;
  /**
   * Writes an XLSX file of one sheet in such a process. `batches` are read one after another when the process is ready,
   * so that this process holds one at a time. Throws ChildUnavailable, and what reading a batch throws.
   */
  write(sheet: SheetToWrite, permit: PermitRequest): Promise<Buffer>;
}

export interface SheetToWrite {
  readonly columns: readonly Column[];
  readonly batches: AsyncIterable<readonly Row[]>;
}

export function createSpreadsheets(): Spreadsheets {
  const queue = createFairQueue(QUEUE);
  return {
    read: (job, permit) => queue.run(permit, () => read(job, permit.signal)),
    write: (sheet, permit) => queue.run(permit, () => write(sheet, permit.signal)),
  };
}

async function read(job: TableJob, signal: AbortSignal | undefined): Promise<Table> {
  // CSV is parsed here, piece by piece: other requests are served meanwhile.
  if (!isZip(job.file)) return readTable(job.file, job.kind);
  const answer = await inChild(signal, (send) => send(job)).catch((error: unknown) => {
    throw error instanceof LimitExceeded ? new SpreadsheetRefused(TOO_SLOW) : error;
  });
  if ('table' in answer) return answer.table;
  throw 'refused' in answer ? new SpreadsheetRefused(answer.refused) : new Error('a table was expected');
}

async function write({ columns, batches }: SheetToWrite, signal: AbortSignal | undefined): Promise<Buffer> {
  const answer = await inChild(signal, async (send) => {
    await send({ columns });
    for await (const rows of batches) await send({ rows });
    await send({ end: true });
  }).catch((error: unknown) => {
    throw error instanceof LimitExceeded ? new ChildUnavailable(error.message) : error;
  });
  if ('xlsx' in answer) return Buffer.from(answer.xlsx);
  throw new Error('refused' in answer ? answer.refused : 'a file was expected');
}

const inChild = (
  signal: AbortSignal | undefined,
  talk: (send: Send<ChildMessage>) => Promise<void>,
): Promise<ChildAnswer> => runChild(CHILD, { heapMb: HEAP_MB, signal }, talk);
