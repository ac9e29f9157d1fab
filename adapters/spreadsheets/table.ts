import { columnOf, IMPORT_COLUMNS, type ImportColumn } from '../../domain/import-columns.ts';
import { type ImportKind, type ImportProblem, MAX_IMPORT_COLUMNS, MAX_IMPORT_ROWS } from '../../domain/imports.ts';
import { SpreadsheetRefused } from './refused.ts';

/** A file's cells in the columns that the import knows. */
export interface Table {
  readonly columns: readonly (ImportColumn & { readonly header: string })[];
  /** Headers of columns that are ignored. */
  readonly ignored: readonly string[];
  readonly rows: readonly TableRow[];
  /** Rows with another number of cells than the header. */
  readonly problems: readonly ImportProblem[];
}

export interface TableRow {
  /** As in the spreadsheet: the header is row 1. */
  readonly row: number;
  /** In the order of the columns; trimmed, empty for an empty cell. */
  readonly cells: readonly string[];
}

/** Whether the file begins as a ZIP archive, such as an XLSX file. */
export const isZip = (file: Uint8Array): boolean => [0x50, 0x4b, 0x03, 0x04].every((byte, i) => file[i] === byte);

/** Each library is loaded with the first file of its type. */
const cellsOf = async (file: Uint8Array, isXlsx: boolean): Promise<string[][]> =>
  isXlsx ? (await import('./xlsx.ts')).readXlsx(file) : (await import('./csv.ts')).readCsv(file);

const BINARY: readonly (readonly number[])[] = [
  [0xd0, 0xcf, 0x11, 0xe0], // XLS
  [0x25, 0x50, 0x44, 0x46], // PDF
  [0x89, 0x50, 0x4e, 0x47], // PNG
  [0xff, 0xd8, 0xff], // JPEG
];

/** Reads a CSV or XLSX file; throws SpreadsheetRefused when the file as a whole cannot be imported. */
export async function readTable(file: Uint8Array, kind: ImportKind): Promise<Table> {
  const begins = (bytes: readonly number[]) => bytes.every((byte, i) => file[i] === byte);
  if (BINARY.some(begins)) throw new SpreadsheetRefused('Tipo de archivo no permitido. Use CSV o XLSX.');
  const isXlsx = isZip(file);
  const [first = [], ...others] = await cellsOf(file, isXlsx);
  const header = withoutEmptyEnd(first);
  if (header.length > MAX_IMPORT_COLUMNS)
    throw new SpreadsheetRefused(`El archivo tiene ${header.length} columnas; el máximo es ${MAX_IMPORT_COLUMNS}`);
  const { known, ignored } = columnsOf(kind, header);
  const rows = others
    .map((cells, i) => ({ row: i + 2, cells: cells.map((cell) => cell.trim()) }))
    .filter(({ cells }) => cells.some((cell) => cell !== ''));
  if (rows.length === 0) throw new SpreadsheetRefused('El archivo no tiene filas después del encabezado');
  if (rows.length > MAX_IMPORT_ROWS)
    throw new SpreadsheetRefused(`El archivo tiene ${rows.length} filas; el máximo es ${MAX_IMPORT_ROWS}`);
  return {
    columns: known.map(({ column, name }) => ({ ...column, header: name })),
    ignored,
    rows: rows.map(({ row, cells }) => ({ row, cells: known.map(({ at }) => cells[at] ?? '') })),
    // A spreadsheet always has whole rows; its library leaves out empty cells at the end.
    problems: isXlsx ? [] : rows.flatMap(({ row, cells }) => raggedness(row, cells, header.length)),
  };
}

interface KnownColumn {
  readonly column: ImportColumn;
  readonly name: string;
  readonly at: number;
}

function columnsOf(kind: ImportKind, header: readonly string[]) {
  const known: KnownColumn[] = [];
  const ignored: string[] = [];
  for (const [at, cell] of header.entries()) {
    const name = cell.trim();
    const column = columnOf(kind, name);
    const earlier = known.find((other) => other.column.member === column?.member);
    if (earlier)
      throw new SpreadsheetRefused(`Las columnas «${shown(earlier.name)}» y «${shown(name)}» son el mismo dato`);
    if (column) known.push({ column, name: shown(name), at });
    else if (name !== '') ignored.push(shown(name));
  }
  for (const { member, headers, isRequired } of IMPORT_COLUMNS[kind]) {
    if (isRequired && !known.some(({ column }) => column.member === member))
      throw new SpreadsheetRefused(`Falta la columna «${headers[0]}» en la primera fila`);
  }
  return { known, ignored };
}

/** A header in a message: short, and without control characters. */
const shown = (name: string): string => name.replace(/\p{C}/gu, '').slice(0, 60);

const withoutEmptyEnd = (cells: readonly string[]): readonly string[] =>
  cells.slice(0, cells.findLastIndex((cell) => cell.trim() !== '') + 1);

function raggedness(row: number, cells: readonly string[], expected: number): readonly ImportProblem[] {
  const found = Math.max(withoutEmptyEnd(cells).length, Math.min(cells.length, expected));
  if (found === expected) return [];
  return [{ row, column: null, message: `la fila tiene ${found} celdas y el encabezado ${expected}` }];
}
