import writeXlsxFile, { type Cell, type SheetData } from 'write-excel-file/node';

export interface Column {
  readonly header: string;
  /** In characters. */
  readonly width: number;
}

/** A cell: text, a number with its decimals, or a date as clocks show it, in UTC because cells have no zone. */
export type SheetCell =
  | string
  | null
  | { readonly number: number; readonly decimals: number }
  | { readonly date: Date; readonly hasTime: boolean };

export type Row = readonly SheetCell[];

/** An XLSX file of one sheet, with its header in view while the rows scroll. Built in memory. */
export async function writeXlsx(columns: readonly Column[], rows: readonly Row[]): Promise<Buffer> {
  const header = columns.map((column): Cell => ({ value: column.header, type: String, fontWeight: 'bold' }));
  const sheet: SheetData = [header, ...rows.map((row) => row.map(cellOf))];
  const widths = columns.map(({ width }) => ({ width }));
  return writeXlsxFile(sheet, { columns: widths, stickyRowsCount: 1 }).toBuffer();
}

function cellOf(cell: SheetCell): Cell {
  if (cell === null || cell === '') return null;
  // The type is what keeps a text that begins with "=" a text.
  if (typeof cell === 'string') return { value: escaped(cell), type: String };
  if ('date' in cell) return { value: cell.date, type: Date, format: cell.hasTime ? 'yyyy-mm-dd hh:mm' : 'yyyy-mm-dd' };
  const { number, decimals } = cell;
  return { value: number, type: Number, format: decimals > 0 ? `#,##0.${'0'.repeat(decimals)}` : '0' };
}

/**
 * Spreadsheets read "_x0041_" as "A" (ECMA-376, part 1, 22.9.2.19), so an underscore that begins such a sequence is
 * written as one. The same is done with the first letter of a name that every object has, such as "constructor":
 * write-excel-file 4.1.1 looks texts up in a plain object and would write the function that it finds there.
 */
function escaped(text: string): string {
  const literal = text.replace(/_(?=x[0-9A-Fa-f]{4}_)/g, '_x005F_');
  if (!(literal in Object.prototype)) return literal;
  return `_x${literal.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}_${literal.slice(1)}`;
}
