import type { Fields } from '../../../console/forms/form-state.ts';

/** The lines of the form of a template. */

type Row = ReadonlyMap<string, readonly string[]>;

const LINE = /^items\.(\d+)\.(.+)$/;

/** The fields of each line, by the name of the member. */
export function rowsOf(fields: Fields): readonly Row[] {
  const rows = new Map<number, Map<string, readonly string[]>>();
  for (const [name, values] of fields) {
    const [, number, member] = LINE.exec(name) ?? [];
    if (number === undefined || member === undefined) continue;
    const row = rows.get(Number(number)) ?? new Map<string, readonly string[]>();
    rows.set(Number(number), row.set(member, values));
  }
  return [...rows].sort(([a], [b]) => a - b).map(([, row]) => row);
}

/** The fields with these lines, numbered from 0, in place of their own. */
export function withRows(fields: Fields, rows: readonly Row[]): Fields {
  const others = [...fields].filter(([name]) => !LINE.test(name));
  const lines = rows.flatMap((row, number) =>
    [...row].map(([member, values]): [string, readonly string[]] => [`items.${number}.${member}`, values]),
  );
  return new Map([...others, ...lines]);
}

/** A line with the values of a record. Several tax codes are several values; null ones are those of the business. */
export const rowOf = (record: object): Row =>
  new Map([
    ['row', ['1']],
    ...Object.entries(record)
      .filter(([member, value]) => member !== 'taxes' || Array.isArray(value))
      .map(([member, value]): [string, readonly string[]] => [member, textsOf(value)]),
  ]);

function textsOf(value: unknown): readonly string[] {
  // An empty value is an empty list.
  if (Array.isArray(value)) return value.length === 0 ? [''] : value.map(String);
  return [typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean' ? String(value) : ''];
}

export const EMPTY_ROW: Row = new Map([
  ['row', ['1']],
  ['quantity', ['1']],
]);

const GIVEN = new Set(['row', 'quantity']);

/** Nothing was filled in, besides what the form gives a new line. */
export const isBlank = (row: Row): boolean =>
  [...row].every(
    ([member, values]) =>
      GIVEN.has(member) || values.every((value) => value === '' || value === 'false' || value === '0'),
  );
