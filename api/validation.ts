import { Ajv, type ErrorObject, type ValidateFunction } from 'ajv';
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
import { quantityRule } from './quantity-rule.ts';
import { explain } from './validation-messages.ts';

/** Validates a value in place: sets defaults, drops unknown members, or throws a 400. */
export type Check<T> = (value: unknown) => T;

/** Normalisation of a text before its length is checked. */
const CLEANERS = {
  line: cleanLine,
  text: cleanText,
  address: (text: string) => readableAddress(cleanLine(text)),
  account: (text: string) => asciiAddress(cleanLine(text)),
};

function createAjv(coerceTypes: boolean): Ajv {
  const ajv = new Ajv({
    allErrors: true,
    // Errors include their schema, because our own keywords have no params for the messages.
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
  // CommonJS: under nodenext the plugin is the default of its namespace.
  formats.default(ajv, ['date-time', 'date', 'uri']);
  ajv.addFormat('email', { type: 'string', validate: isMailAddress });
  ajv.addFormat('email-or-empty', { type: 'string', validate: (text: string) => text === '' || isMailAddress(text) });
  ajv.addFormat('currency', { type: 'string', validate: isCurrency });
  ajv.addFormat('time-zone', { type: 'string', validate: (name) => timeZoneNamed(name) !== undefined });
  ajv.addFormat('country', { type: 'string', validate: isCountry });
  // Whether a text is a valid time does not depend on the zone.
  ajv.addFormat('iso-8601', { type: 'string', validate: (text) => readTime(text, 'UTC') !== undefined });
  // Only for the document: `webhooks/target.ts` checks addresses and has a message for each problem.
  ajv.addFormat('web-address', true);
  ajv.addKeyword({
    keyword: 'maxDecimals',
    type: 'number',
    schemaType: 'number',
    // Ajv's multipleOf divides floats and would refuse prices such as 143.48.
    validate: (max: number, value: number) => !Number.isFinite(value) || decimalPlaces(value) <= max,
  });
  ajv.addKeyword({ keyword: 'lineQuantity', schemaType: 'number', validate: quantityRule });
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
    // The first rule for texts, so that lengths are those of the stored text.
    before: 'maxLength',
    validate: (
      form: keyof typeof CLEANERS,
      value: string,
      _schema: unknown,
      at?: { parentData: object; parentDataProperty: string | number },
    ) => {
      // Left in place, because `maxLength` refuses characters that cannot be stored.
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
export const queryCheck = <S extends TSchema>(schema: S, message?: string): Check<Static<S>> =>
  compile(queries, schema, message);

/** Called only when the routes are built. Compiling all schemas then would take a fifth of the start. */
function compile<S extends TSchema>(ajv: Ajv, schema: S, message?: string): Check<Static<S>> {
  const unbounded = unboundedIn(schema);
  if (unbounded.length > 0) throw new Error(`the schema of a request does not bound ${unbounded.join(', ')}`);
  let valid: ValidateFunction<Static<S>> | undefined;
  return (value) => {
    valid ??= ajv.compile<Static<S>>(schema);
    if (!valid(value)) throw invalidInput(detailsOf(valid.errors ?? []), message);
    const infinite = infiniteMembers(value);
    if (infinite.length > 0) throw invalidInput(infinite, message);
    return value;
  };
}

/** Ajv coerces "Infinity" in a query to a number and then skips the limits of the schema. */
const infiniteMembers = (clean: unknown): readonly Detail[] =>
  Object.entries(clean ?? {})
    .filter(([, member]) => typeof member === 'number' && !Number.isFinite(member))
    .map(([path]) => ({ path, message: 'debe ser un número' }));

function detailsOf(errors: readonly ErrorObject[]): readonly Detail[] {
  const details = errors
    // For a union of text and null only the error about the text is reported.
    .filter(({ keyword, params }) => keyword !== 'anyOf' && keyword !== 'oneOf' && params['type'] !== 'null')
    .map((error) => explain(error));
  const unique = new Map(details.map((detail) => [`${detail.path}\n${detail.message}`, detail]));
  return [...unique.values()];
}
