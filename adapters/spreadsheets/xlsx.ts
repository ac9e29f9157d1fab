import { unzipSync, zipSync } from 'fflate';
import { readSheet } from 'read-excel-file/universal';
import { SpreadsheetRefused } from './refused.ts';

const MAX_UNPACKED_BYTES = 50 * 1024 * 1024;
const TOO_LARGE = 'El archivo XLSX ocupa más de 50 MB sin comprimir';
const UNREADABLE = 'No se pudo leer el archivo XLSX; ábralo y guárdelo de nuevo, o guárdelo como CSV';

/** The cells of the first sheet as text. Of a formula, the value that the spreadsheet last computed. */
export async function readXlsx(file: Uint8Array): Promise<string[][]> {
  const bounded = repacked(file);
  let rows;
  try {
    rows = await readSheet(bounded, { parseNumber: asShown });
  } catch {
    throw new SpreadsheetRefused(UNREADABLE);
  }
  return rows.map((row) => row.map(textOf));
}

/**
 * The same archive, uncompressed and without images. Sizes in an archive may be wrong: fflate writes no more than the
 * declared size, so the sum of these is a limit.
 */
function repacked(file: Uint8Array): ArrayBuffer {
  let unpackedBytes = 0;
  let entries;
  try {
    entries = unzipSync(file, {
      filter: ({ name, originalSize }) => {
        unpackedBytes += originalSize;
        if (unpackedBytes > MAX_UNPACKED_BYTES) throw new SpreadsheetRefused(TOO_LARGE);
        return /\.(xml|rels)$/.test(name);
      },
    });
  } catch (error) {
    throw error instanceof SpreadsheetRefused ? error : new SpreadsheetRefused(UNREADABLE);
  }
  // zipSync returns a view of its own buffer, which may be longer.
  return Uint8Array.from(zipSync(entries, { level: 0 })).buffer;
}

/** Spreadsheets show 15 digits and store 17: 143.48 as 143.47999999999999. */
const asShown = (stored: string): string => String(Number(Number(stored).toPrecision(15)));

function textOf(cell: unknown): string {
  if (cell === null || cell === undefined) return '';
  if (cell instanceof Date) return cell.toISOString().slice(0, 10);
  return typeof cell === 'string' ? cell : String(cell);
}
