import { Ajv, type ErrorObject } from 'ajv';
import formats from 'ajv-formats';
import type { Static, TSchema } from 'typebox';
import { isCommonPassword } from '../adapters/crypto/common-passwords.ts';
import { asciiAddress, isMailAddress, readableAddress } from '../adapters/internet-address.ts';
import { cleanLine, cleanText } from '../domain/clean-text.ts';
import { type Detail, invalidInput } from '../domain/errors.ts';
import { isCountry } from '../domain/countries.ts';
import { decimalPlaces, isCurrency } from '../domain/money.ts';
import { readTime, timeZoneNamed } from '../domain/zone.ts';
import { addBoundedKeywords, UNSTORABLE } from './bounded-keywords.ts';
import { unboundedIn } from './declared-bounds.ts';
import { explain } from './validation-messages.ts';

/** Checks a value against its schema, fills in defaults and drops what the schema does not name, in place, or throws a 400. */
export type Check<T> = (value: unknown) => T;

/** What becomes of a text before it is measured. */
const CLEANERS = {
  line: cleanLine,
  text: cleanText,
  address: (text: string) => readableAddress(cleanLine(text)),
  account: (text: string) => asciiAddress(cleanLine(text)),
};

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
  addBoundedKeywords(ajv);
  // CommonJS: under nodenext the plugin is the namespace's default.
  formats.default(ajv, ['date-time', 'date', 'uri']);
  ajv.addFormat('email', { type: 'string', validate: isMailAddress });
  ajv.addFormat('email-or-empty', { type: 'string', validate: (text: string) => text === '' || isMailAddress(text) });
  ajv.addFormat('currency', { type: 'string', validate: isCurrency });
  ajv.addFormat('time-zone', { type: 'string', validate: (name) => timeZoneNamed(name) !== undefined });
  ajv.addFormat('country', { type: 'string', validate: isCountry });
  // Whether it is a time depends on no zone; which one does.
  ajv.addFormat('iso-8601', { type: 'string', validate: (text) => readTime(text, 'UTC') !== undefined });
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
    keyword: 'refuseCommon',
    type: 'string',
    schemaType: 'boolean',
    validate: (refuse: boolean, value: string) => !refuse || !isCommonPassword(value),
  });
  ajv.addKeyword({
    keyword: 'clean',
    type: 'string',
    schemaType: 'string',
    modifying: true,
    // The first of the rules for texts, so that lengths are those of what is kept.
    before: 'maxLength',
    validate: (
      form: keyof typeof CLEANERS,
      value: string,
      _schema: unknown,
      at?: { parentData: object; parentDataProperty: string | number },
    ) => {
      // `maxLength` refuses what cannot be stored, so it must find it.
      if (at && !UNSTORABLE.test(value)) Reflect.set(at.parentData, at.parentDataProperty, CLEANERS[form](value));
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
  const unbounded = unboundedIn(schema);
  if (unbounded.length > 0) throw new Error(`the schema of a request does not bound ${unbounded.join(', ')}`);
  const valid = ajv.compile<Static<S>>(schema);
  return (value) => {
    if (!valid(value)) throw invalidInput(detailsOf(valid.errors ?? []), sentence);
    const infinite = infiniteMembers(value);
    if (infinite.length > 0) throw invalidInput(infinite, sentence);
    return value;
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
  return [...unique.values()];
}
