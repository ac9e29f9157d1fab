import type { Context } from 'koa';
import { invalidInput } from '../../domain/errors.ts';
import { bodyTooLarge, contentTypeNotSupported } from '../../domain/request-refusals.ts';
import type { Fields } from '../../console/forms/form-state.ts';
import { hasUtf8Escapes } from '../read-query.ts';
import { readText } from '../read-text.ts';

/** A quote of 1,000 lines, with escapes. */
export const MAX_FORM_BYTES = 2 * 1024 * 1024;
const MAX_FIELDS = 25_000;
/** The longest path of a body, and the prefix of a form that is carried over a sign-in. */
const MAX_NAME = 300;

/** The fields of a posted form, in its order. */
export async function readFields(ctx: Context): Promise<Fields> {
  if (!ctx.is('urlencoded')) throw contentTypeNotSupported();
  const form = await readText(ctx, MAX_FORM_BYTES, () => invalidInput([]));
  if (!hasUtf8Escapes(form)) throw invalidInput([]);
  if (form.split('&', MAX_FIELDS + 1).length > MAX_FIELDS) throw bodyTooLarge();
  const fields = new Map<string, string[]>();
  for (const [name, value] of new URLSearchParams(form)) {
    if (name.length > MAX_NAME) throw invalidInput([]);
    // Browsers send line breaks as CRLF.
    const text = value.replaceAll('\r\n', '\n');
    const values = fields.get(name);
    if (values) values.push(text);
    else fields.set(name, [text]);
  }
  return fields;
}

/** Values of fields that count as empty in a row, by the field's name with `*` for numbers: `items.*.quantity`. */
export type RowDefaults = Readonly<Record<string, string>>;

/** Drops rows in which nothing is filled in and numbers the others from 0, as in the body that is made from them. */
export function withoutBlankRows(fields: Fields, defaults: RowDefaults = {}): Fields {
  const filled = new Set<string>();
  for (const [name, values] of fields) {
    const blank = defaults[name.replaceAll(/\.\d+(?=\.|$)/g, '.*')] ?? '';
    if (values.every((value) => value === '' || value === 'false' || value === blank)) continue;
    for (const row of rowsIn(name)) filled.add(row);
  }
  const numbers = numbersOf(filled);
  const kept = new Map<string, readonly string[]>();
  for (const [name, values] of fields) {
    if (rowsIn(name).every((row) => filled.has(row))) kept.set(renumbered(name, numbers), values);
  }
  return kept;
}

/** `a.3.b.1.c` is in the rows `a.3` and `a.3.b.1`. */
const rowsIn = (name: string): readonly string[] =>
  [...name.matchAll(/\.\d+(?=\.|$)/g)].map(({ index, 0: { length } }) => name.slice(0, index + length));

/** The new number of each row, among the rows of the same list. */
function numbersOf(rows: ReadonlySet<string>): ReadonlyMap<string, number> {
  const lists = new Map<string, string[]>();
  for (const row of rows) {
    const list = row.slice(0, row.lastIndexOf('.'));
    const known = lists.get(list);
    if (known) known.push(row);
    else lists.set(list, [row]);
  }
  const numberIn = (row: string) => Number(row.slice(row.lastIndexOf('.') + 1));
  return new Map(
    [...lists.values()].flatMap((list) =>
      list.sort((a, b) => numberIn(a) - numberIn(b)).map((row, number): [string, number] => [row, number]),
    ),
  );
}

function renumbered(name: string, numbers: ReadonlyMap<string, number>): string {
  let end = 0;
  let renamed = '';
  for (const row of rowsIn(name)) {
    renamed += `${name.slice(end, row.lastIndexOf('.'))}.${numbers.get(row)}`;
    end = row.length;
  }
  return renamed + name.slice(end);
}
