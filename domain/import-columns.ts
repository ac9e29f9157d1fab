import type { ImportKind, ImportValues } from './imports.ts';

/** A column that a file may have. */
export interface ImportColumn {
  readonly member: string;
  /** The accepted headers, in Spanish and English; case, accents and punctuation do not matter. */
  readonly headers: readonly [string, ...string[]];
  readonly isRequired?: true;
  /** How a cell is read; by default as text. */
  readonly type?: 'decimal' | 'codes';
}

/** The columns of each kind; others are ignored. */
export const IMPORT_COLUMNS: {
  readonly [Kind in ImportKind]: readonly (ImportColumn & { readonly member: keyof ImportValues[Kind] })[];
} = {
  clients: [
    {
      member: 'contactName',
      headers: ['contacto', 'nombre', 'nombre de contacto', 'contact', 'name', 'contact name'],
      isRequired: true,
    },
    { member: 'companyName', headers: ['empresa', 'razón social', 'nombre de la empresa', 'company', 'company name'] },
    { member: 'email', headers: ['correo', 'correo electrónico', 'email', 'e-mail', 'email address'] },
    { member: 'phone', headers: ['teléfono', 'celular', 'phone', 'phone number'] },
    { member: 'taxId', headers: ['rfc', 'clave fiscal', 'identificación fiscal', 'tax id'] },
    { member: 'address', headers: ['dirección', 'domicilio', 'address'] },
    { member: 'country', headers: ['país', 'country'] },
    { member: 'locale', headers: ['idioma', 'language', 'locale'] },
    { member: 'notes', headers: ['notas', 'notes'] },
  ],
  products: [
    { member: 'name', headers: ['nombre', 'producto', 'name', 'product', 'product name'], isRequired: true },
    { member: 'modelSku', headers: ['modelo', 'sku', 'clave', 'model', 'model sku'] },
    { member: 'description', headers: ['descripción', 'description'] },
    {
      member: 'unitPrice',
      headers: ['precio', 'precio unitario', 'price', 'unit price'],
      isRequired: true,
      type: 'decimal',
    },
    { member: 'currency', headers: ['moneda', 'currency'] },
    { member: 'unit', headers: ['unidad', 'unidad de medida', 'unit', 'unit of measure'] },
    { member: 'taxes', headers: ['impuestos', 'impuesto', 'taxes', 'tax', 'tax codes'], type: 'codes' },
  ],
};

/** The column of a header; undefined for one that is ignored. */
export const columnOf = (kind: ImportKind, header: string): ImportColumn | undefined => {
  const wanted = folded(header);
  return IMPORT_COLUMNS[kind].find((column) =>
    [column.member, ...column.headers].some((name) => folded(name) === wanted),
  );
};

const folded = (header: string): string =>
  header
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]/gu, '');

/**
 * Whether a spreadsheet would evaluate the text: it begins with `=` or `@`, or with a sign that is not that of a number, a
 * telephone number or a dash.
 */
export const isFormula = (text: string): boolean => /^[=@\t\r]/.test(text) || /^[+-](?![\d\s.,()-]*$|\s)/.test(text);

/** Tax codes as typed, with spaces, commas or semicolons between them. */
export const readCodes = (text: string): readonly string[] => text.split(/[\s,;]+/).filter(Boolean);

const GROUPED = /^\d{1,3}([.,])\d{3}(?:\1\d{3})*(?!\1)[.,]\d{1,6}$/;
const PLAIN = /^\d{1,15}(?:[.,]\d+)?$/;

/**
 * A price as typed: `1234.5`, `1234,50`, `1,234.50`, `1.234,50`, with or without `$`. A string tells what is wrong:
 * `1,234` may mean either number, so it is refused.
 */
export function readDecimal(text: string): number | string {
  const digits = text.replace(/^\$\s*/, '');
  if (GROUPED.test(digits)) {
    const at = Math.max(digits.lastIndexOf('.'), digits.lastIndexOf(','));
    return Number(`${digits.slice(0, at).replace(/[.,]/g, '')}.${digits.slice(at + 1)}`);
  }
  if (!PLAIN.test(digits)) return 'debe ser un número, como 1234.50';
  if (/,\d{3}$/.test(digits)) return 'no se sabe si la coma separa miles o decimales; escriba 1234.50';
  return Number(digits.replace(',', '.'));
}
