import writeXlsxFile from 'write-excel-file/node';

/** Files as spreadsheets write them. */

/** CSV lines of cells that need no quotation marks. */
export const csv = (rows: readonly (readonly (string | number)[])[], separator = ','): string =>
  rows.map((row) => row.join(separator)).join('\r\n');

/** The first sheet of an XLSX file. */
export async function xlsx(rows: readonly (readonly (string | number | null)[])[]): Promise<Buffer> {
  const cells = rows.map((row) => row.map((value) => (value === null ? null : { value })));
  return writeXlsxFile(cells).toBuffer();
}

/** The form of an import. */
export function fileForm(file: string | Buffer, name = 'archivo.csv'): FormData {
  const form = new FormData();
  form.set('file', new Blob([typeof file === 'string' ? file : new Uint8Array(file)]), name);
  return form;
}
