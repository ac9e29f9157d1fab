import { foldEmailAddress } from './email-address.ts';
import type { Locale } from './locale.ts';

/** The import of clients and products from a spreadsheet: all rows or none. */

export const IMPORT_KINDS = ['clients', 'products'] as const;
export type ImportKind = (typeof IMPORT_KINDS)[number];

export const IMPORT_STATUSES = ['RUNNING', 'COMPLETED', 'FAILED'] as const;
export type ImportStatus = (typeof IMPORT_STATUSES)[number];

export const ON_DUPLICATE = ['error', 'skip'] as const;
export type OnDuplicate = (typeof ON_DUPLICATE)[number];

export const MAX_IMPORT_BYTES = 5 * 1024 * 1024;
export const MAX_IMPORT_ROWS = 20_000;
export const MAX_IMPORT_COLUMNS = 50;
/** Files with more rows are imported by a workflow. */
export const MAX_IMMEDIATE_ROWS = 500;
/** Problems in a report; reading stops at the last. */
export const MAX_IMPORT_PROBLEMS = 100;

/** Why a row cannot be imported. */
export interface ImportProblem {
  /** As in the spreadsheet: the header is row 1. */
  readonly row: number;
  /** The header as in the file; null if the whole row is meant. */
  readonly column: string | null;
  readonly message: string;
}

export interface ClientValues {
  readonly contactName: string;
  readonly companyName: string | null;
  readonly email: string | null;
  readonly phone: string | null;
  readonly taxId: string | null;
  readonly address: string | null;
  readonly country: string | null;
  readonly locale: Locale | null;
  readonly notes: string | null;
}

export interface ProductValues {
  readonly name: string;
  readonly modelSku: string | null;
  readonly description: string | null;
  /** Decimal string. */
  readonly unitPrice: string;
  readonly currency: string;
  readonly unit: string | null;
  /** Codes with commas between them. */
  readonly taxes: string | null;
}

export interface ImportValues {
  readonly clients: ClientValues;
  readonly products: ProductValues;
}

/** A row that is valid by itself. */
export interface ImportRow<Kind extends ImportKind = ImportKind> {
  readonly row: number;
  readonly values: ImportValues[Kind];
}

/** The valid rows of a file. */
export interface ImportContent<Kind extends ImportKind = ImportKind> {
  /** The file's header of the column that identifies a record, if it has one. */
  readonly keyColumn: string | null;
  readonly rows: readonly ImportRow<Kind>[];
}

/** How each kind identifies a record. */
export const IMPORT_KEYS = {
  clients: {
    member: 'email',
    keyOf: ({ email }: ClientValues) => email && foldEmailAddress(email),
    repeated: (row: number) => `correo repetido: es el de la fila ${row}`,
    taken: 'ya existe un cliente con este correo',
  },
  products: {
    member: 'modelSku',
    keyOf: ({ modelSku }: ProductValues) => modelSku,
    repeated: (row: number) => `modelo repetido: es el de la fila ${row}`,
    taken: 'ya existe un producto con este modelo',
  },
} as const satisfies {
  readonly [Kind in ImportKind]: {
    readonly member: keyof ImportValues[Kind] & string;
    readonly keyOf: (values: ImportValues[Kind]) => string | null;
    readonly repeated: (row: number) => string;
    readonly taken: string;
  };
};

/** The key of each row, null for one that cannot be a duplicate. */
export const keysOf = <Kind extends ImportKind>(
  kind: Kind,
  { rows }: ImportContent<Kind>,
): readonly (string | null)[] => {
  // TypeScript does not relate the two look-ups by the same kind.
  const keyOf = IMPORT_KEYS[kind].keyOf as unknown as (values: ImportValues[Kind]) => string | null;
  return rows.map(({ values }) => keyOf(values));
};

/** Separates the first row of each key from duplicates, which are problems or are skipped. */
export function withoutDuplicates<Kind extends ImportKind>(
  kind: Kind,
  content: ImportContent<Kind>,
  { existing, onDuplicate }: { readonly existing: ReadonlySet<string>; readonly onDuplicate: OnDuplicate },
): {
  readonly rows: readonly ImportRow<Kind>[];
  readonly skipped: number;
  readonly problems: readonly ImportProblem[];
} {
  const { repeated, taken } = IMPORT_KEYS[kind];
  const keys = keysOf(kind, content);
  const seen = new Map<string, number>();
  const rows: ImportRow<Kind>[] = [];
  const problems: ImportProblem[] = [];
  for (const [i, row] of content.rows.entries()) {
    const key = keys[i] ?? null;
    const first = key === null ? undefined : seen.get(key);
    if (key !== null && first === undefined) seen.set(key, row.row);
    if (key === null || (first === undefined && !existing.has(key))) rows.push(row);
    else
      problems.push({
        row: row.row,
        column: content.keyColumn,
        message: first === undefined ? taken : repeated(first),
      });
  }
  if (onDuplicate === 'skip') return { rows, skipped: problems.length, problems: [] };
  return { rows, skipped: 0, problems };
}
