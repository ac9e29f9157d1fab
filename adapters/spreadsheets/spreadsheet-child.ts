import { getPriority, setPriority } from 'node:os';
import { Worker } from 'node:worker_threads';
import type { ImportKind } from '../../domain/imports.ts';
import { SpreadsheetRefused } from './refused.ts';
import { readTable, type Table } from './table.ts';
import type { Column, Row } from './xlsx-file.ts';

/**
 * A child process that reads or writes one XLSX file. Its parent does neither, and kills the child when it takes too
 * long, because the libraries cannot be interrupted.
 */

/** Milliseconds; longer than the parent lets it live. */
const MAX_LIFETIME_MS = 15_000;
/** An uploaded file may use a core for seconds, so reading has a low priority. A file to write has a limit of rows. */
const NICE = 10;

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
/** 'ready' when it can take its first message, then the one result. */
export type ChildAnswer = { readonly table: Table } | { readonly xlsx: Uint8Array } | { readonly refused: string };

async function read({ file, kind }: TableJob): Promise<ChildAnswer> {
  // Only now: on a busy machine the start alone could use up the time.
  if (getPriority() < NICE) setPriority(NICE);
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

const answer = (result: Promise<ChildAnswer>): void =>
  void result.then((found) => process.send?.(found, () => process.exit(0)));

// A killed parent does not kill its child, and reading blocks the main thread, so a timer there would be too late.
new Worker(`setTimeout(() => process.kill(process.pid, 'SIGKILL'), ${MAX_LIFETIME_MS})`, { eval: true }).unref();
let sheet: readonly Column[] = [];
const rows: Row[] = [];
process.on('message', (message: ChildMessage) => {
  if ('file' in message) answer(read(message));
  else if ('columns' in message) sheet = message.columns;
  else if ('rows' in message) rows.push(...message.rows);
  else answer(write(sheet, rows));
});
process.once('disconnect', () => process.exit(0));
process.send?.('ready');
