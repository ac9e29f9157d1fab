/** The keywords of JSON Schema that declare members. */
interface SchemaLike {
  readonly type?: string | readonly string[];
  readonly properties?: Readonly<Record<string, SchemaLike>>;
  readonly additionalProperties?: boolean | SchemaLike;
  readonly items?: SchemaLike;
  readonly maxItems?: number;
  readonly anyOf?: readonly SchemaLike[];
  readonly oneOf?: readonly SchemaLike[];
  readonly discriminator?: { readonly propertyName: string };
  readonly const?: unknown;
}

/** Maximum number of reported members. */
const MAX_REPORTED = 50;
/** In code points; longer names are cut. */
const MAX_NAME_LENGTH = 100;

/**
 * The paths of members that the schema does not declare ("items.0.discount"), before validation drops them. Takes
 * linear time; lists are read only up to the schema's limit.
 */
export function unknownMembers(schema: SchemaLike, value: unknown): readonly string[] {
  const found: string[] = [];
  collect(schema, value, '', found);
  return found;
}

function collect(schema: SchemaLike, value: unknown, path: string, found: string[]): void {
  if (typeof value !== 'object' || value === null || found.length >= MAX_REPORTED) return;
  const variant = variantFor(schema, value);
  if (variant) return collect(variant, value, path, found);
  if (Array.isArray(value)) {
    for (const [index, item] of value.slice(0, schema.maxItems).entries())
      if (schema.items) collect(schema.items, item, join(path, String(index)), found);
    return;
  }
  const { properties = {}, additionalProperties } = schema;
  for (const name of Object.keys(value)) {
    if (found.length >= MAX_REPORTED) return;
    const member = Object.hasOwn(properties, name) ? properties[name] : undefined;
    const given: unknown = Reflect.get(value, name);
    // The path of a member without members is of no use.
    if (member && typeof given === 'object' && given !== null) collect(member, given, join(path, name), found);
    else if (!member && additionalProperties === false) found.push(join(path, safeName(name)));
  }
}

/** The branch of a union for the value: by discriminator, or the branch that is an object or a list. */
function variantFor({ oneOf, anyOf, discriminator }: SchemaLike, value: object): SchemaLike | undefined {
  const variants = oneOf ?? anyOf;
  if (!variants) return undefined;
  const tag = discriminator?.propertyName;
  if (tag === undefined) return variants.find(({ type }) => type === (Array.isArray(value) ? 'array' : 'object'));
  const given: unknown = Reflect.get(value, tag);
  return variants.find(({ properties }) => properties?.[tag]?.const === given);
}

const join = (path: string, name: string): string => (path === '' ? name : `${path}.${name}`);

/** A name that is safe to return: cut, without splitting a surrogate pair. */
const safeName = (name: string): string =>
  Array.from(name.slice(0, MAX_NAME_LENGTH * 2))
    .slice(0, MAX_NAME_LENGTH)
    .join('')
    .replace(/\p{Surrogate}/gu, '\ufffd');

const MAX_HEADER_LENGTH = 1024;

/** As many paths as fit into a header, escaped and comma-separated. */
export function ignoredMembersHeader(paths: readonly string[]): string {
  let header = '';
  for (const path of paths) {
    const next = header + (header && ', ') + encodeURIComponent(path);
    if (next.length > MAX_HEADER_LENGTH) break;
    header = next;
  }
  return header;
}

/** Whether the caller prefers that unknown members are refused (RFC 7240: the first `handling` counts). */
export function prefersStrict(prefer: string): boolean {
  if (prefer === '') return false;
  const handling = prefer
    .split(',')
    .map((preference) => /^\s*handling\s*=\s*"?(\w+)"?\s*(?:;.*)?$/i.exec(preference)?.[1])
    .find((value) => value !== undefined);
  return handling?.toLowerCase() === 'strict';
}
