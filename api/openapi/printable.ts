import { EMAIL_PATTERN } from '../../domain/email-address.ts';
import { CURRENCIES } from '../../domain/money.ts';
import type { Components } from './components.ts';

/** A member with a default is optional in requests and always present in responses. */
export type Direction = 'request' | 'response';

/**
 * Keywords that the document omits or prints in another form: our own ones; `additionalProperties: false` of requests,
 * because unknown members are dropped and not refused; the title, which is the name of a component.
 */
const PRIVATE = new Set([
  'clean',
  'maxDecimals',
  'lineQuantity',
  'refuseCommon',
  'additionalProperties',
  'discriminator',
  'title',
]);

/** Keywords whose values are not schemas. */
const VALUES = new Set(['examples', 'default', 'const', 'enum', 'required']);

/** These belong to a member, not to the enumeration or the map that it refers to. */
const OF_MEMBER = ['description', 'examples', 'default', 'deprecated'];

/** Approximates which URLs may be called; the service also resolves the host name. */
const WEB_ADDRESS = '^https?://([A-Za-z0-9]([A-Za-z0-9.-]*[A-Za-z0-9])?|\\[[0-9A-Fa-f:.]+\\])(:[0-9]+)?([/?#]\\S*)?$';

/** A schema as it appears in the document. A named one is added to the components. */
export function printable(schema: unknown, side: Direction, components: Components): unknown {
  if (Array.isArray(schema)) return schema.map((part) => printable(part, side, components));
  if (typeof schema !== 'object' || schema === null) return schema;
  if ('format' in schema && schema.format === 'currency') return currency(schema, components);
  return components.once(schema, side, () => printed(schema, side, components));
}

function printed(schema: object, side: Direction, components: Components): object {
  const shape = defined({
    ...mapOf(schema, (key, value) => {
      if (VALUES.has(key)) return value;
      if (key === 'properties') return mapOf(value as object, (_name, member) => printable(member, side, components));
      return PRIVATE.has(key) && !isMap(key, value) ? undefined : printable(value, side, components);
    }),
    ...standardKeywords(schema),
    ...(side === 'request' && requiredMembers(schema)),
    ...('discriminator' in schema && discriminated(schema as Union)),
  });
  return 'title' in schema && typeof schema.title === 'string' ? reference(schema.title, shape, components) : shape;
}

const defined = (map: object): object =>
  Object.fromEntries(Object.entries(map).filter(([, value]) => value !== undefined));

const mapOf = (map: object, change: (key: string, value: unknown) => unknown): object =>
  Object.fromEntries(Object.entries(map).map(([key, value]: [string, unknown]) => [key, change(key, value)]));

/** The component, and beside it what belongs to the member: null, an empty text that clears it, its description. */
function reference(name: string, shape: object, components: Components): object {
  if ('properties' in shape || 'oneOf' in shape) return components.add(name, shape);
  const { type, enum: values, ...rest } = shape as { type?: string | readonly string[]; enum?: readonly unknown[] };
  const [first] = [type].flat();
  const ofMember = (key: string): boolean => OF_MEMBER.includes(key);
  const component = components.add(name, {
    type: first,
    ...(values && { enum: values.filter((value) => value !== '' && value !== null) }),
    ...selected(rest, (key) => !ofMember(key)),
  });
  const others = [
    ...(values?.includes('') ? [{ type: 'string', const: '' }] : []),
    ...(type?.includes('null') ? [{ type: 'null' }] : []),
  ];
  return { ...(others.length > 0 ? { anyOf: [component, ...others] } : component), ...selected(rest, ofMember) };
}

const selected = (map: object, isWanted: (key: string) => boolean): object =>
  Object.fromEntries(Object.entries(map).filter(([key]) => isWanted(key)));

/** The values of a map, in contrast to `false`. */
const isMap = (key: string, value: unknown): boolean => key === 'additionalProperties' && typeof value === 'object';

const currency = (schema: object, components: Components): object => ({
  ...components.add('Currency', { type: 'string', enum: CURRENCIES, description: 'ISO 4217' }),
  ...selected(schema, (key) => OF_MEMBER.includes(key)),
});

interface Union {
  readonly discriminator: { readonly propertyName: string };
  readonly oneOf: readonly {
    readonly title: string;
    readonly properties: Readonly<Record<string, { readonly const: string }>>;
  }[];
}

/** A union of named objects. Its branches have the type, so the union needs none. */
const discriminated = ({ discriminator: { propertyName }, oneOf }: Union): object => ({
  type: undefined,
  discriminator: {
    propertyName,
    mapping: Object.fromEntries(
      oneOf.map(({ title, properties }) => [properties[propertyName]?.const, `#/components/schemas/${title}`]),
    ),
  },
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
export function requiredMembers(schema: object): { readonly required?: readonly string[] | undefined } {
  const { required, properties = {} } = schema as {
    required?: readonly string[];
    properties?: Readonly<Record<string, object>>;
  };
  if (!Array.isArray(required)) return {};
  const sent = required.filter((name: string) => !('default' in (properties[name] ?? {})));
  return { required: sent.length > 0 ? sent : undefined };
}
