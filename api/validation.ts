import { Ajv, type ErrorObject } from 'ajv';
import formats from 'ajv-formats';
import type { Static, TSchema } from 'typebox';
import { isEmailAddress } from '../domain/email-address.ts';
import { type Detail, invalidInput } from '../domain/errors.ts';
import { decimalPlaces, isCurrency } from '../domain/money.ts';
import { explain } from './validation-messages.ts';

/** Checks a value against its schema, fills in defaults and drops what the schema does not name, or throws a 400. */
export type Check<T> = (value: unknown) => T;

/** More are not worth reading. */
const MOST_DETAILS = 20;

/** Levels of lists and objects in a body. No schema of ours comes near; thousands would exhaust the stack. */
const DEEPEST = 32;

function createAjv(coerceTypes: boolean): Ajv {
  const ajv = new Ajv({
    allErrors: true,
    // Errors carry the schema they broke: our own keywords have no params to explain them by.
    verbose: true,
    useDefaults: true,
    removeAdditional: true,
    discriminator: true,
    coerceTypes,
    strict: true,
    strictTypes: false,
    allowUnionTypes: true,
  });
  // CommonJS: under nodenext the plugin is the namespace's default.
  formats.default(ajv, ['date-time', 'date', 'uri']);
  ajv.addFormat('email', { type: 'string', validate: isEmailAddress });
  ajv.addFormat('currency', { type: 'string', validate: isCurrency });
  // For the document: what is wrong with an address is told by `webhooks/target.ts`, in more words than one.
  ajv.addFormat('web-address', true);
  ajv.addKeyword({
    keyword: 'maxDecimals',
    type: 'number',
    schemaType: 'number',
    // Ajv's multipleOf divides floats and refuses prices such as 143.48.
    validate: (max: number, value: number) => !Number.isFinite(value) || decimalPlaces(value) <= max,
  });
  ajv.addKeyword({
    keyword: 'trim',
    type: 'string',
    schemaType: 'boolean',
    modifying: true,
    // The first of the rules for texts, so that lengths are those of what is kept.
    before: 'maxLength',
    validate: (
      trim: boolean,
      value: string,
      _schema: unknown,
      at?: { parentData: object; parentDataProperty: string | number },
    ) => {
      if (trim && at) Reflect.set(at.parentData, at.parentDataProperty, value.trim());
      return true;
    },
  });
  return ajv;
}

const bodies = createAjv(false);
// Query strings and path parameters arrive as text.
const queries = createAjv(true);

export const bodyCheck = <S extends TSchema>(schema: S): Check<Static<S>> => compile(bodies, schema);
export const queryCheck = <S extends TSchema>(schema: S, sentence?: string): Check<Static<S>> =>
  compile(queries, schema, sentence);

/** Compiled once, when the routes are built. */
function compile<S extends TSchema>(ajv: Ajv, schema: S, sentence?: string): Check<Static<S>> {
  const valid = ajv.compile<Static<S>>(schema);
  return (value) => {
    const details: Detail[] = [];
    const clean = cleanText(value, '', details);
    if (details.length > 0) throw invalidInput(details.slice(0, MOST_DETAILS), sentence);
    if (!valid(clean)) throw invalidInput(detailsOf(valid.errors ?? []), sentence);
    const infinite = infiniteMembers(clean);
    if (infinite.length > 0) throw invalidInput(infinite, sentence);
    return clean;
  };
}

/** "Infinity" in a query string is a number to Ajv's coercion, and then no limit of the schema is asked. */
const infiniteMembers = (clean: unknown): readonly Detail[] =>
  Object.entries(clean ?? {})
    .filter(([, member]) => typeof member === 'number' && !Number.isFinite(member))
    .map(([path]) => ({ path, message: 'debe ser un número' }));

function detailsOf(errors: readonly ErrorObject[]): readonly Detail[] {
  const details = errors
    // A failed "text or null" says what the text should have been; the union itself, and its null, only repeat that.
    .filter(({ keyword, params }) => keyword !== 'anyOf' && keyword !== 'oneOf' && params['type'] !== 'null')
    .map((error) => explain(error));
  const unique = new Map(details.map((detail) => [`${detail.path}\n${detail.message}`, detail]));
  return [...unique.values()].slice(0, MOST_DETAILS);
}

// Lone surrogates cannot be written in UTF-8, and PostgreSQL has no U+0000 in text.
const UNSTORABLE = /\0|[\uD800-\uDFFF]/u;

/** Every text in NFC, so that equal names are equal and lengths are what people count. Notes what cannot be stored. */
function cleanText(value: unknown, path: string, problems: Detail[], depth = 0): unknown {
  if (typeof value === 'string') {
    if (UNSTORABLE.test(value)) problems.push({ path, message: 'contiene caracteres no permitidos' });
    return value.normalize('NFC');
  }
  if (typeof value !== 'object' || value === null) return value;
  if (depth > DEEPEST) {
    problems.push({ path: '', message: `debe tener como máximo ${DEEPEST} niveles` });
    return null;
  }
  const clean = (member: unknown, key: string) => cleanText(member, join(path, key), problems, depth + 1);
  if (Array.isArray(value)) return value.map((item, i) => clean(item, String(i)));
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, clean(member, key)]));
}

const join = (path: string, key: string): string => (path ? `${path}.${key}` : key);
