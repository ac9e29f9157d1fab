import type { ImportKind } from '../../domain/imports.ts';
import { answerJob } from '../child-process/answer-job.ts';
import { SpreadsheetRefused } from './refused.ts';
import { readTable, type Table } from './table.ts';
import type { Column, Row } from './xlsx-file.ts';

/** A child process that reads or writes one XLSX file, which its parent does not. */

/** Milliseconds of CPU time for a file. */
const FILE_MS = 8_000;

export interface TableJob {
  /** As uploaded. */
  readonly file: Uint8Array;
  readonly kind: ImportKind;
}
/** A file to read; or the columns of one to write, then its rows, then the end. */
export type ChildMessage =
  | TableJob
  | { readonly columns: readonly Column[] }
  | { readonly rows: readonly Row[] }
  | { readonly end: true };
export type ChildAnswer = { readonly table: Table } | { readonly xlsx: Uint8Array } | { readonly refused: string };

async function read({ file, kind }: TableJob): Promise<ChildAnswer> {
  try {
    return { table: await readTable(file, kind) };
  } catch (error) {
    if (error instanceof SpreadsheetRefused) return { refused: error.message };
    return { refused: 'No se pudo leer el archivo' };
  }
}

async function write(columns: readonly Column[], rows: readonly Row[]): Promise<ChildAnswer> {
  try {
    return { xlsx: await (await import('./xlsx-file.ts')).writeXlsx(columns, rows) };
  } catch (error) {
    return { refused: error instanceof Error ? error.message : 'No se pudo escribir el archivo' };
  }
}

let sheet: readonly Column[] = [];
const rows: Row[] = [];
answerJob<ChildMessage, ChildAnswer>(FILE_MS, (message) => {
  if ('file' in message) return read(message);
  if ('end' in message) return write(sheet, rows);
  if ('columns' in message) sheet = message.columns;
  else rows.push(...message.rows);
  return undefined;
});
