import { answerJob } from '../child-process/answer-job.ts';
import { type Column, type Row, writeXlsx } from './xlsx-file.ts';

/** A child process that writes one XLSX file: the library builds it in memory, without a pause. */

/** Milliseconds of CPU time for a file. */
const WRITE_MS = 8_000;

export interface SheetJob {
  readonly columns: readonly Column[];
  readonly rows: readonly Row[];
}
export interface SheetAnswer {
  readonly xlsx: Uint8Array;
}

// The caller waits, and the rows are ours and limited: no low priority, with which the file would miss the request's time limit on a busy machine.
answerJob(
  WRITE_MS,
  async ({ columns, rows }: SheetJob): Promise<SheetAnswer> => ({ xlsx: await writeXlsx(columns, rows) }),
  { nice: 0 },
);
