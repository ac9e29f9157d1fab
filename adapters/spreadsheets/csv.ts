import { Readable } from 'node:stream';
import { setImmediate as letOthersRun } from 'node:timers/promises';
import { CsvError, parse } from 'csv-parse';
import { SpreadsheetRefused } from './refused.ts';

/** A longer record is most likely a quotation mark that is never closed. */
const MAX_RECORD_CHARACTERS = 100_000;

/** Characters that are parsed before other requests are served. */
const CHUNK_CHARACTERS = 64 * 1024;

/** The cells of a CSV file, whose separator is the one that its first line has more of. */
export async function readCsv(file: Uint8Array): Promise<string[][]> {
  const text = decoded(file);
  const parser = parse({
    bom: true,
    delimiter: separatorOf(text),
    relax_column_count: true,
    max_record_size: MAX_RECORD_CHARACTERS,
  });
  // pipe() forwards no errors, and this source has none.
  Readable.from(chunksOf(text)).pipe(parser);
  const rows: string[][] = [];
  try {
    // Without named columns a record is its cells.
    for await (const cells of parser as AsyncIterable<string[]>) rows.push(cells);
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    const line = typeof error['lines'] === 'number' ? ` cerca de la línea ${error['lines']}` : '';
    throw new SpreadsheetRefused(`No se pudo leer el CSV${line}: revise las comillas`);
  }
  return rows;
}

async function* chunksOf(text: string): AsyncGenerator<string> {
  for (let at = 0; at < text.length; at += CHUNK_CHARACTERS) {
    await letOthersRun();
    yield text.slice(at, at + CHUNK_CHARACTERS);
  }
}

/** UTF-8 if the bytes are valid, otherwise Windows-1252, which older spreadsheets write. */
function decoded(file: Uint8Array): string {
  const [first, second] = file;
  if ((first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff))
    throw new SpreadsheetRefused('El archivo está en UTF-16; guárdelo como «CSV UTF-8»');
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(file);
  } catch {
    return new TextDecoder('windows-1252').decode(file);
  }
}

function separatorOf(text: string): ';' | ',' {
  const header = (/^[^\r\n]*/.exec(text)?.[0] ?? '').replace(/"[^"]*"/g, '');
  return header.split(';').length > header.split(',').length ? ';' : ',';
}
