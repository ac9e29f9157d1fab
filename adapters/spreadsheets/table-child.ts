import { getPriority, setPriority } from 'node:os';
import { Worker } from 'node:worker_threads';
import type { ImportKind } from '../../domain/imports.ts';
import { SpreadsheetRefused } from './refused.ts';
import { readTable, type Table } from './table.ts';

/**
 * A child process that reads one XLSX file. Its parent does not parse the file, and kills the child when it takes too
 * long, because the libraries cannot be interrupted.
 */

/** Milliseconds; longer than the parent lets it live. */
const MAX_LIFETIME_MS = 15_000;
/** Reading may use a core for seconds, so it has a low priority. */
const NICE = 10;

export interface TableJob {
  /** As uploaded. */
  readonly file: Uint8Array;
  readonly kind: ImportKind;
}
/** 'ready' when it can take its job, then the one result. */
export type TableAnswer = { readonly table: Table } | { readonly refused: string };

async function read({ file, kind }: TableJob): Promise<TableAnswer> {
  try {
    return { table: await readTable(file, kind) };
  } catch (error) {
    if (error instanceof SpreadsheetRefused) return { refused: error.message };
    return { refused: 'No se pudo leer el archivo' };
  }
}

// A killed parent does not kill its child, and reading blocks the main thread, so a timer there would be too late.
new Worker(`setTimeout(() => process.kill(process.pid, 'SIGKILL'), ${MAX_LIFETIME_MS})`, { eval: true }).unref();
process.once('message', (job: TableJob) => {
  // Not counted before: on a busy machine the start alone could use up the time.
  if (getPriority() < NICE) setPriority(NICE);
  void read(job).then((answer) => process.send?.(answer, () => process.exit(0)));
});
process.once('disconnect', () => process.exit(0));
process.send?.('ready');
