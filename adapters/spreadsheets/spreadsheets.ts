import { type ChildOptions, LimitExceeded, runJob } from '../child-process/run-job.ts';
import { createFairQueue, type PermitRequest } from '../fair-queue.ts';
import { SpreadsheetRefused } from './refused.ts';
import type { TableAnswer, TableJob } from './table-child.ts';
import type { Column, Row } from './xlsx-file.ts';
import type { SheetAnswer, SheetJob } from './sheet-child.ts';
import { isZip, readTable, type Table } from './table.ts';

const EXTENSION = import.meta.url.endsWith('.ts') ? '.ts' : '.js';
const CHILD = new URL(`./table-child${EXTENSION}`, import.meta.url);
const WRITER = new URL(`./sheet-child${EXTENSION}`, import.meta.url);
const HEAP_MB = 384;

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
   * Writes an XLSX file of one sheet in such a process. The batches are read when a permit is free, so that two files at
   * most are in memory. Throws LimitExceeded, ChildUnavailable, and what reading a batch throws.
   */
  write(sheet: SheetToWrite, permit: PermitRequest): Promise<Buffer>;
}

export interface SheetToWrite {
  readonly columns: readonly Column[];
  readonly batches: AsyncIterable<readonly Row[]>;
}

/** `totalMs` limits the time of a file with the start of its process. By default what a request can wait. */
export function createSpreadsheets({ totalMs }: Pick<ChildOptions, 'totalMs'> = {}): Spreadsheets {
  const limits = { heapMb: HEAP_MB, ...(totalMs !== undefined && { totalMs }) };
  const queue = createFairQueue(QUEUE);
  return {
    read: (job, permit) => queue.run(permit, () => read(job, { ...limits, signal: permit.signal })),
    write: (sheet, permit) => queue.run(permit, () => write(sheet, { ...limits, signal: permit.signal })),
  };
}

/** CSV is parsed here, piece by piece: other requests are served meanwhile. */
const read = (job: TableJob, options: ChildOptions): Promise<Table> =>
  isZip(job.file) ? readInChild(job, options) : readTable(job.file, job.kind);

async function readInChild(job: TableJob, options: ChildOptions): Promise<Table> {
  const answer = await runJob<TableJob, TableAnswer>(CHILD, job, options).catch((error: unknown) => {
    throw error instanceof LimitExceeded ? new SpreadsheetRefused(TOO_SLOW) : error;
  });
  if ('table' in answer) return answer.table;
  throw new SpreadsheetRefused(answer.refused);
}

async function write({ columns, batches }: SheetToWrite, options: ChildOptions): Promise<Buffer> {
  const rows: Row[] = [];
  for await (const batch of batches) rows.push(...batch);
  const { xlsx } = await runJob<SheetJob, SheetAnswer>(WRITER, { columns, rows }, options);
  return Buffer.from(xlsx);
}
