import { type TProperties, type TSchema, Type } from 'typebox';

/** Building blocks of the schemas: one source for the check, the static type and the OpenAPI document. */

/** A request body or query: what is not named here is dropped before it gets anywhere. */
export const closed = <P extends TProperties>(properties: P, options: object = {}) =>
  Type.Object(properties, { additionalProperties: false, ...options });

/** One of these words. */
export const oneOf = <const T extends string>(values: readonly T[], options: object = {}) =>
  Type.Unsafe<T>({ type: 'string', enum: values, ...options });

export const nullable = <T extends TSchema>(schema: T) => Type.Union([schema, Type.Null()]);

/** A name or other text of one line, of which something can be seen. What is done to texts: docs/text.md. */
export const line = (maxLength: number, options: object = {}) =>
  Type.String({ clean: 'line', minLength: 1, maxLength, ...options });

/** Text that may have several lines, of which something can be seen. Lengths count code points (decisions, section 1). */
export const text = (maxLength: number, options: object = {}) =>
  Type.String({ clean: 'text', minLength: 1, maxLength, ...options });

const optional = (options: object) =>
  Type.Optional(Type.Unsafe<string | null>({ type: ['string', 'null'], ...options }));

/** Absent means "none"; so do null and "", which empty what is there. */
export const optionalLine = (maxLength: number, options: object = {}) =>
  optional({ clean: 'line', maxLength, ...options });
export const optionalText = (maxLength: number, options: object = {}) =>
  optional({ clean: 'text', maxLength, ...options });

const EMAIL = { clean: 'address', maxLength: 254, examples: ['ana@example.com'] };
export const email = (options: object = {}) => Type.String({ ...EMAIL, format: 'email', ...options });
/** The address of a user, in the one form that is looked up: its domain in ASCII. */
export const accountEmail = (options: object = {}) => email({ clean: 'account', ...options });
export const optionalEmail = (options: object = {}) => optional({ ...EMAIL, format: 'email-or-empty', ...options });

/** What a list is searched for. */
export const search = (options: object) => Type.Optional(Type.String({ clean: 'line', maxLength: 200, ...options }));

/** A code of ISO 4217, upper case. */
export const currency = (options: object = {}) => Type.String({ format: 'currency', examples: ['MXN'], ...options });

/** A code of ISO 3166-1, upper case. */
export const country = (description: string) => Type.String({ format: 'country', description, examples: ['MX'] });

/** Of an answer: what was stored although it looks wrong; absent when nothing does. */
export const warnings = () =>
  Type.Optional(
    Type.Array(Type.Object({ path: Type.String(), message: Type.String() }), {
      description: 'lo que se guardó como se envió aunque parece equivocado; ausente si nada lo parece',
      examples: [[{ path: 'taxId', message: 'no tiene la forma de un RFC' }]],
    }),
  );

/** A decimal as a JSON number with at most so many digits after the point; never a float in our hands. */
export const decimal = (maxDecimals: number, options: object) => Type.Number({ maxDecimals, ...options });

export const id = () => Type.String({ examples: ['c5tz6q8v0k3m9w2x7y4n1b0d'] });

/** Money in reads: a decimal string. */
export const decimalText = () => Type.String({ pattern: '^\\d+\\.\\d{2,6}$', examples: ['1160.00'] });

export const timestamp = () => Type.String({ format: 'date-time', examples: ['2026-12-15T18:30:00.000Z'] });

/** A day, a local time or a moment in a query, read by `spanOf`; without an offset in the business's time zone. */
export const dayOrMoment = (options: object = {}) => Type.String({ maxLength: 64, format: 'iso-8601', ...options });

/** What a call answers that has nothing to say but that it was done. */
export const Done = Type.Object({ ok: Type.Literal(true) });

/** `page` of a list, from 1. */
export const page = (options: object = {}) => Type.Integer({ minimum: 1, maximum: 1_000_000, default: 1, ...options });
export const limit = (options: object = {}) => Type.Integer({ minimum: 1, maximum: 100, default: 20, ...options });

/** A paged list (decisions, section 1). */
export const pageOf = <T extends TSchema>(item: T) =>
  Type.Object({ data: Type.Array(item), total: Type.Integer(), page: Type.Integer(), totalPages: Type.Integer() });

/** The answer of a paged list; a page past the end is empty. */
export const paged = <T>(
  data: readonly T[],
  { total, page, limit }: { total: number; page: number; limit: number },
) => ({
  data,
  total,
  page,
  totalPages: Math.ceil(total / limit),
});

export const ErrorBody = Type.Object({
  error: Type.String({ description: 'what went wrong, in Spanish' }),
  code: Type.String({ description: 'stable, for programs' }),
  requestId: Type.String(),
  details: Type.Optional(Type.Array(Type.Object({ path: Type.String(), message: Type.String() }))),
  run: Type.Optional(
    Type.Object(
      { workflowId: Type.String(), runId: Type.Union([Type.String(), Type.Null()]) },
      { description: 'of a share that was handed over: where it is to be found in Temporal' },
    ),
  ),
});
