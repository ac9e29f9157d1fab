import type { Row } from '../quotes/editor/rows.ts';

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
