import type { ImportKind } from '../../domain/imports.ts';
import { answerJob } from '../child-process/answer-job.ts';
import { SpreadsheetRefused } from './refused.ts';
import { readTable, type Table } from './table.ts';

/** A child process that reads one XLSX file. Its parent does not parse it. */

/** Milliseconds of CPU time for a file. */
const READ_MS = 8_000;

export interface TableJob {
  /** As uploaded. */
  readonly file: Uint8Array;
  readonly kind: ImportKind;
}
export type TableAnswer = { readonly table: Table } | { readonly refused: string };

async function read({ file, kind }: TableJob): Promise<TableAnswer> {
  try {
    return { table: await readTable(file, kind) };
  } catch (error) {
    if (error instanceof SpreadsheetRefused) return { refused: error.message };
    return { refused: 'No se pudo leer el archivo' };
  }
}

answerJob(READ_MS, read);
