import { EMAIL_PATTERN } from '../../domain/email-address.ts';

/** A member with a default is optional in requests and always present in responses. */
export type Direction = 'request' | 'response';

/**
 * Keywords that the document omits: our own ones; `additionalProperties: false` of requests, because unknown members
 * are dropped and not refused; discriminators, which OpenAPI allows only with named schemas.
 */
const PRIVATE = new Set([
  'clean',
  'maxDecimals',
  'lineQuantity',
  'refuseCommon',
  'additionalProperties',
  'discriminator',
]);

/** Approximates which URLs may be called; the service also resolves the host name. */
const WEB_ADDRESS = '^https?://([A-Za-z0-9]([A-Za-z0-9.-]*[A-Za-z0-9])?|\\[[0-9A-Fa-f:.]+\\])(:[0-9]+)?([/?#]\\S*)?$';

/** A schema as it appears in the document. */
export function printable(schema: unknown, side: Direction): unknown {
  if (Array.isArray(schema)) return schema.map((part) => printable(part, side));
  if (typeof schema !== 'object' || schema === null) return schema;
  if ('format' in schema && schema.format === 'currency') return currencyNamed(schema);
  const members = Object.entries(schema)
    .filter(([key, value]) => !PRIVATE.has(key) || isMap(key, value))
    .map(([key, value]): [string, unknown] => [key, printable(value, side)]);
  return {
    ...Object.fromEntries(members),
    ...standardKeywords(schema),
    ...(side === 'request' && requiredMembers(schema)),
  };
}

/** The values of a map, in contrast to `false`. */
const isMap = (key: string, value: unknown): boolean => key === 'additionalProperties' && typeof value === 'object';

/** The list of codes is in the document only once. */
const currencyNamed = ({
  description,
  examples,
  ...schema
}: object & { description?: string; examples?: string[] }) => ({
  $ref: '#/components/schemas/Currency',
  ...(description && { description }),
  ...(examples && { examples }),
  ...('default' in schema && { default: schema.default }),
});

/** Translates our own keywords and formats to standard ones. */
function standardKeywords(schema: object): object {
  const { clean, minLength, maxDecimals, lineQuantity, format, pattern } = schema as Readonly<Record<string, unknown>>;
  return {
    ...(typeof lineQuantity === 'number' && {
      type: 'number',
      exclusiveMinimum: 0,
      maximum: lineQuantity,
      multipleOf: 0.0001,
    }),
    ...(typeof maxDecimals === 'number' && { multipleOf: Number(`1e-${maxDecimals}`) }),
    // Invisible characters around a text are trimmed: the minimum length counts from the first to the last visible one.
    ...(clean !== undefined &&
      typeof minLength === 'number' &&
      pattern === undefined && { pattern: visibleText(minLength) }),
    ...(format === 'email' && { pattern: EMAIL_PATTERN }),
    ...(format === 'email-or-empty' && { format: undefined, pattern: `^$|${EMAIL_PATTERN}` }),
    ...(format === 'web-address' && { format: undefined, pattern: WEB_ADDRESS }),
  };
}

const visibleText = (minLength: number): string =>
  minLength < 2 ? VISIBLE : `${VISIBLE}[\\s\\S]{${minLength - 2},}${VISIBLE}`;

/**
 * A visible character (docs/guides/text.md) as a portable expression: excludes spaces, invisible characters and common
 * combining marks. The service knows more marks. U+0080 to U+009F, left over from Windows-1252, count as visible.
 */
const VISIBLE =
  '[^\\s\\u0000-\\u0020\\u007f\\u0081\\u0085\\u008d\\u008f\\u0090\\u009d\\u00a0\\u00ad\\u0300-\\u036f\\u0483-\\u0489' +
  '\\u0591-\\u05bd\\u0610-\\u061a\\u061c\\u064b-\\u065f\\u115f\\u1160\\u1680\\u17b4\\u17b5\\u180b-\\u180f\\u1ab0-\\u1aff\\u1dc0-\\u1dff' +
  '\\u2000-\\u200f\\u2028-\\u202f\\u205f-\\u206f\\u20d0-\\u20ff\\u2800\\u3000\\u3164\\ufe00-\\ufe0f\\ufe20-\\ufe2f\\ufeff\\uffa0\\ufff0-\\uffff]';

/** The required members of a request; those with a default are not required. */
function requiredMembers(schema: object): object {
  const { required, properties = {} } = schema as {
    required?: readonly string[];
    properties?: Readonly<Record<string, object>>;
  };
  if (!Array.isArray(required)) return {};
  const sent = required.filter((name: string) => !('default' in (properties[name] ?? {})));
  return { required: sent.length > 0 ? sent : undefined };
}
