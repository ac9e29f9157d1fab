import { type Static, type TProperties, type TSchema, Type } from 'typebox';
import { REASONS, UNEXPECTED } from '../domain/refusal-reasons.ts';

/** Building blocks of the schemas: one source for the check, the static type and the OpenAPI document. */

/** A request body or query: unknown members are dropped. */
export const dropsUnknown = <P extends TProperties>(properties: P, options: object = {}) =>
  Type.Object(properties, { additionalProperties: false, ...options });

/** An object of the OpenAPI document's components. Its name becomes a type in generated clients. */
export const named = <P extends TProperties>(name: string, properties: P, options: object = {}) =>
  Type.Object(properties, { title: name, ...options });

/** The same for a request body or a part of one: unknown members are dropped. */
export const namedInput = <P extends TProperties>(name: string, properties: P, options: object = {}) =>
  dropsUnknown(properties, { title: name, ...options });

/** One of these strings, also a component with a name. */
export const oneOf = <const T extends string>(name: string, values: readonly T[], options: object = {}) =>
  Type.Unsafe<T>({ title: name, type: 'string', enum: values, ...options });

export const nullable = <T extends TSchema>(schema: T) => Type.Union([schema, Type.Null()]);

/** A text of one line with at least one visible character. For normalisation see docs/guides/text.md. */
export const line = (maxLength: number, options: object = {}) =>
  Type.String({ clean: 'line', minLength: 1, maxLength, ...options });

/** A text of one or more lines with at least one visible character. Lengths count code points. */
export const text = (maxLength: number, options: object = {}) =>
  Type.String({ clean: 'text', minLength: 1, maxLength, ...options });

const optional = (options: object) =>
  Type.Optional(Type.Unsafe<string | null>({ type: ['string', 'null'], ...options }));

/** Optional text; null and "" clear it. */
export const optionalLine = (maxLength: number, options: object = {}) =>
  optional({ clean: 'line', maxLength, ...options });
export const optionalText = (maxLength: number, options: object = {}) =>
  optional({ clean: 'text', maxLength, ...options });

const EMAIL = { clean: 'address', maxLength: 254, examples: ['ana@example.com'] };
export const email = (options: object = {}) => Type.String({ ...EMAIL, format: 'email', ...options });
/** The e-mail address of a user, normalised for look-up: its domain in ASCII. */
export const accountEmail = (options: object = {}) => email({ clean: 'account', ...options });
export const optionalEmail = (options: object = {}) => optional({ ...EMAIL, format: 'email-or-empty', ...options });

/** The search text of a list. */
export const search = (options: object) => Type.Optional(Type.String({ clean: 'line', maxLength: 200, ...options }));

/** An ISO 4217 code in upper case. */
export const currency = (options: object = {}) => Type.String({ format: 'currency', examples: ['MXN'], ...options });

/** An ISO 3166-1 code in upper case. */
export const country = (description: string) => Type.String({ format: 'country', description, examples: ['MX'] });

/** What is wrong with the member at `path`. */
export const Warning = named('InputWarning', { path: Type.String(), message: Type.String() });

/** In responses: values that were stored although they look wrong; absent without any. */
export const warnings = () =>
  Type.Optional(
    Type.Array(Warning, {
      description: 'lo que se guardó como se envió aunque parece equivocado; ausente si nada lo parece',
      examples: [[{ path: 'taxId', message: 'no tiene la forma de un RFC' }]],
    }),
  );

/** A decimal as a JSON number with at most `maxDecimals` digits after the point. */
export const decimal = (maxDecimals: number, options: object) => Type.Number({ maxDecimals, ...options });

/** Any JSON object, in responses. */
export const jsonObject = (options: object = {}) =>
  Type.Unsafe<object>({ title: 'JsonObject', type: 'object', ...options });

/** The caller's own data of a quote, in responses. */
export const metadata = () =>
  Type.Unsafe<Readonly<Record<string, string>>>({
    title: 'Metadata',
    type: 'object',
    additionalProperties: { type: 'string' },
    examples: [{ pedido: 'P-77' }],
  });

/** The path of a route for one record: its `:id`. */
export const IdParams = Type.Object({ id: Type.String({ maxLength: 64 }) });

export const id = () => Type.String({ examples: ['c5tz6q8v0k3m9w2x7y4n1b0d'] });

/** Money in reads, as a decimal string. */
export const decimalText = () => Type.String({ pattern: '^\\d+\\.\\d{2,6}$', examples: ['1160.00'] });

export const timestamp = (options: object = {}) =>
  Type.String({ format: 'date-time', examples: ['2026-12-15T18:30:00.000Z'], ...options });

/** A day, local time or instant in a query, parsed by `spanOf`; without an offset in the business's time zone. */
export const dayOrMoment = (options: object = {}) => Type.String({ maxLength: 64, format: 'iso-8601', ...options });

/** The response of a call that only reports success. */
export const Done = named('Done', { ok: Type.Literal(true) });
export const done = (): { readonly ok: true } => ({ ok: true });

/** `page` of a list, from 1. */
export const page = (options: object = {}) => Type.Integer({ minimum: 1, maximum: 1_000_000, default: 1, ...options });
/** The largest `limit` of a page. */
export const MAX_LIMIT = 100;

export const limit = (options: object = {}) =>
  Type.Integer({ minimum: 1, maximum: MAX_LIMIT, default: 20, ...options });

/** A paged list. */
export const pageOf = <T extends TSchema>(name: string, item: T) =>
  named(name, { data: Type.Array(item), total: Type.Integer(), page: Type.Integer(), totalPages: Type.Integer() });

/** `cursor` of a list that has cursors: the `nextCursor` of its last page. */
export const cursor = () =>
  Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 200,
      pattern: '^[A-Za-z0-9_-]+$',
      description: 'nextCursor de la página anterior, con los mismos filtros y orden; en vez de page',
    }),
  );

/** `updatedSince` of a list that can be synchronised. */
export const updatedSince = () =>
  Type.Optional(
    Type.String({
      format: 'date-time',
      maxLength: 64,
      description:
        'las que cambiaron desde este momento, de la primera a la última que cambió; sin total, y sin las de transacciones abiertas',
      examples: ['2026-11-30T18:30:00.000Z'],
    }),
  );

const ofPageNumber = (example: number) =>
  Type.Optional(Type.Integer({ description: 'ausente con cursor o updatedSince', examples: [example] }));

/** A paged list that has cursors. */
export const cursorPageOf = <T extends TSchema>(name: string, item: T) =>
  named(name, {
    data: Type.Array(item),
    total: ofPageNumber(37),
    page: ofPageNumber(1),
    totalPages: ofPageNumber(2),
    nextCursor: nullable(
      Type.String({
        description: 'para la página siguiente; null en la última',
        examples: ['YWEydDBfRFdaMnUzUHJ0QyAxOA'],
      }),
    ),
  });

/** The body of a paged list; a page past the end is empty. */
export const paged = <T>(
  data: readonly T[],
  { total, page, limit }: { total: number; page: number; limit: number },
) => ({
  data,
  total,
  page,
  totalPages: Math.ceil(total / limit),
});

/** Presenters may return rows and constants, whose members are read-only. */
type Frozen<T> = T extends readonly (infer Element)[]
  ? readonly Frozen<Element>[]
  : T extends object
    ? { readonly [Key in keyof T]: Frozen<T[Key]> }
    : T;

/** What a presenter returns for a response with this schema. A member that only one of both has is a type error. */
export type ResponseBody<S extends TSchema> = Frozen<Static<S>>;

export const ErrorBody = named('Error', {
  error: Type.String({ description: 'what went wrong, in Spanish' }),
  code: Type.String({
    description: 'the kind of refusal: stable, for programs; more may be added',
    'x-extensible-enum': [...Object.keys(REASONS), UNEXPECTED.code],
  }),
  reason: Type.String({
    description: 'the refusal: stable, for programs; more may be added; the errors guide lists them',
    'x-extensible-enum': [...Object.values(REASONS).flat(), UNEXPECTED.reason],
  }),
  requestId: Type.String(),
  details: Type.Optional(Type.Array(named('ErrorDetail', { path: Type.String(), message: Type.String() }))),
  run: Type.Optional(
    named(
      'ErrorRun',
      { workflowId: Type.String(), runId: Type.Union([Type.String(), Type.Null()]) },
      { description: 'workflow execution of a share that Temporal accepted' },
    ),
  ),
});
