import type { Ajv, ErrorObject, SchemaValidateFunction } from 'ajv';

/**
 * Replaces Ajv's `maxLength`, `maxItems` and `maxProperties`. Ajv applies every rule to all of a value that is too
 * long. These keywords truncate it in place first, so that the cost of the other rules is bounded by the schema. Texts
 * are normalised here too, after the length check, because normalising is expensive.
 */
export function addBoundedKeywords(ajv: Ajv): void {
  for (const keyword of [
    { keyword: 'maxLength', type: 'string', before: 'minLength', validate: maxLength, modifying: true },
    { keyword: 'maxItems', type: 'array', before: 'minItems', validate: maxItems },
    { keyword: 'maxProperties', type: 'object', before: 'minProperties', validate: maxProperties },
  ] as const) {
    ajv.removeKeyword(keyword.keyword).addKeyword({ ...keyword, schemaType: 'number' });
  }
}

// Lone surrogates cannot be written in UTF-8, and PostgreSQL has no U+0000 in text.
export const UNSTORABLE = /\0|[\uD800-\uDFFF]/u;

/**
 * More combining marks on one letter than any language uses (Unicode Standard Annex 15, Stream-Safe Text Format).
 * Normalising sorts them in quadratic time.
 */
const TOO_MANY_MARKS = /\p{M}{31}/u;

/** Maximum UTF-16 units that compose to one code point in NFC: four code points of two units each. */
const UNITS_PER_CODE_POINT = 8;

type DataContext = Parameters<SchemaValidateFunction>[3];

const maxLength: SchemaValidateFunction = (limit: number, value: string, _schema: unknown, at?: DataContext) => {
  const keep = (text: string): string => {
    if (at) Reflect.set(at.parentData, at.parentDataProperty, text);
    return text;
  };
  if (value.length > limit * UNITS_PER_CODE_POINT) {
    keep(value.slice(0, limit));
    return fail(maxLength, 'maxLength', limit);
  }
  if (UNSTORABLE.test(value) || TOO_MANY_MARKS.test(value)) return fail(maxLength, 'storable', limit);
  const text = keep(value.normalize('NFC'));
  return lengthOf(text) <= limit || fail(maxLength, 'maxLength', limit);
};

/** In code points, as lengths are declared in the schemas. */
function lengthOf(text: string): number {
  let length = text.length;
  for (const character of text) length -= character.length - 1;
  return length;
}

const maxItems: SchemaValidateFunction = (limit: number, list: unknown[]) => {
  if (list.length <= limit) return true;
  list.length = limit;
  return fail(maxItems, 'maxItems', limit);
};

const maxProperties: SchemaValidateFunction = (limit: number, members: object) => {
  const names = Object.keys(members);
  if (names.length <= limit) return true;
  for (const name of names.slice(limit)) Reflect.deleteProperty(members, name);
  return fail(maxProperties, 'maxProperties', limit);
};

/** Ajv reads the error from the function and adds its path. */
function fail(rule: SchemaValidateFunction, keyword: string, limit: number): false {
  rule.errors = [{ keyword, params: { limit } } satisfies Partial<ErrorObject>];
  return false;
}
