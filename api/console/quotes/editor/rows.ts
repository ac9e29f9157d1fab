import type { Fields } from '../../../../console/forms/form-state.ts';
import { LINES_ON_PAGE } from '../../../../console/quotes/editor/view.ts';

/** The lines of the form as rows: values by the member of the line. */
export type Row = ReadonlyMap<string, readonly string[]>;

const LINE = /^items\.(\d+)\.(.+)$/;

export function rowsOf(fields: Fields): readonly Row[] {
  const rows = new Map<number, Map<string, readonly string[]>>();
  for (const [name, values] of fields) {
    const [, number, member] = LINE.exec(name) ?? [];
    if (number === undefined || member === undefined) continue;
    const row = rows.get(Number(number)) ?? new Map<string, readonly string[]>();
    rows.set(Number(number), row);
    row.set(member, values);
  }
  return [...rows].sort(([a], [b]) => a - b).map(([, row]) => row);
}

/** The fields with these rows, numbered from 0, in place of their own. */
export function withRows(fields: Fields, rows: readonly Row[]): Fields {
  const others = [...fields].filter(([name]) => !LINE.test(name));
  const lines = rows.flatMap((row, number) =>
    [...row].map(([member, values]): [string, readonly string[]] => [`items.${number}.${member}`, values]),
  );
  return new Map([...others, ...lines]);
}

/** A new line: one of it, in the section of the line before. */
export const emptyRow = (before?: Row): Row =>
  new Map([
    ['row', ['1']],
    ['quantity', ['1']],
    ['section', [before?.get('section')?.at(-1) ?? '']],
  ]);

const GIVEN = new Set(['row', 'quantity', 'section']);

/** Nothing was filled in, besides what the form itself gives a new line. */
export const isBlank = (row: Row): boolean =>
  [...row].every(([member, values]) => GIVEN.has(member) || values.every((value) => value === '' || value === 'false'));

/** The fields without blank lines. */
export const withoutBlankLines = (fields: Fields): Fields =>
  withRows(
    fields,
    rowsOf(fields).filter((row) => !isBlank(row)),
  );

const MIN_ROWS = 3;

/** A short quote shows three lines from the start. */
export function padded(rows: readonly Row[]): readonly Row[] {
  const all = [...rows];
  while (all.length < MIN_ROWS) all.push(emptyRow(all.at(-1)));
  return all;
}

export const pageOfRow = (row: number): number => Math.floor(row / LINES_ON_PAGE) + 1;
