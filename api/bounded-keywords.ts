import type { Ajv, ErrorObject, SchemaValidateFunction } from 'ajv';

/**
 * `maxLength`, `maxItems` and `maxProperties` in place of Ajv's own. Ajv looks at every rule of a value and at all members of
 * a list that is too long; with these, what is too long is cut in place, so that the rules that follow cost no more than the
 * schema's own bounds. Texts are normalised here too, after their length is known: normalising is the dear part.
 */
export function addBoundedKeywords(ajv: Ajv): void {
  ajv.removeKeyword('maxLength').addKeyword({
    keyword: 'maxLength',
    type: 'string',
    schemaType: 'number',
    modifying: true,
    before: 'minLength',
    validate: maxLength,
  });
  ajv.removeKeyword('maxItems').addKeyword({
    keyword: 'maxItems',
    type: 'array',
    schemaType: 'number',
    before: 'minItems',
    validate: maxItems,
  });
  ajv.removeKeyword('maxProperties').addKeyword({
    keyword: 'maxProperties',
    type: 'object',
    schemaType: 'number',
    before: 'minProperties',
    validate: maxProperties,
  });
}

// Lone surrogates cannot be written in UTF-8, and PostgreSQL has no U+0000 in text.
export const UNSTORABLE = /\0|[\uD800-\uDFFF]/u;

/**
 * More marks on one letter than any language has (Unicode Standard Annex 15, Stream-Safe Text Format). Normalising sorts
 * them, at a cost that grows with the square of their number.
 */
const TOO_MANY_MARKS = /\p{M}{31}/u;

/** UTF-16 units that one code point of a text in NFC can come from: four code points, each of two units. */
const UNITS_PER_CODE_POINT = 8;

type Place = Parameters<SchemaValidateFunction>[3];

const maxLength: SchemaValidateFunction = (limit: number, value: string, _schema: unknown, at?: Place) => {
  const keep = (text: string): string => {
    if (at) Reflect.set(at.parentData, at.parentDataProperty, text);
    return text;
  };
  if (value.length > limit * UNITS_PER_CODE_POINT) {
    keep(value.slice(0, limit));
    return fails(maxLength, 'maxLength', limit);
  }
  if (UNSTORABLE.test(value) || TOO_MANY_MARKS.test(value)) return fails(maxLength, 'storable', limit);
  const text = keep(value.normalize('NFC'));
  return lengthOf(text) <= limit || fails(maxLength, 'maxLength', limit);
};

/** In code points (decisions, section 1). */
function lengthOf(text: string): number {
  let length = text.length;
  for (const character of text) length -= character.length - 1;
  return length;
}

const maxItems: SchemaValidateFunction = (limit: number, list: unknown[]) => {
  if (list.length <= limit) return true;
  list.length = limit;
  return fails(maxItems, 'maxItems', limit);
};

const maxProperties: SchemaValidateFunction = (limit: number, members: object) => {
  const names = Object.keys(members);
  if (names.length <= limit) return true;
  for (const name of names.slice(limit)) Reflect.deleteProperty(members, name);
  return fails(maxProperties, 'maxProperties', limit);
};

/** Ajv takes the error from the function; where it is, Ajv adds. */
function fails(rule: SchemaValidateFunction, keyword: string, limit: number): false {
  rule.errors = [{ keyword, params: { limit } } satisfies Partial<ErrorObject>];
  return false;
}
