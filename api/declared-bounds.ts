/** The keywords of JSON Schema that bound the size of a value. */
interface SchemaLike {
  readonly type?: string | readonly string[];
  readonly properties?: Readonly<Record<string, SchemaLike>>;
  readonly additionalProperties?: boolean | SchemaLike;
  readonly items?: SchemaLike;
  readonly anyOf?: readonly SchemaLike[];
  readonly oneOf?: readonly SchemaLike[];
}

/** Each of these bounds a text. Except `maxLength` they allow only short forms, which are checked in linear time. */
const BOUNDS_OF_TEXT = ['maxLength', 'enum', 'const', 'format', 'pattern'];

/**
 * Paths where a request schema allows texts, lists or maps of any length. Unbounded input makes validation unboundedly
 * expensive, so such a schema must fail at start.
 */
export function unboundedIn(schema: SchemaLike, path = ''): readonly string[] {
  const types = [schema.type ?? []].flat();
  const has = (keywords: readonly string[]) => keywords.some((keyword) => keyword in schema);
  const map = typeof schema.additionalProperties === 'object' ? schema.additionalProperties : undefined;
  return [
    ...(types.includes('string') && !has(BOUNDS_OF_TEXT) ? [path] : []),
    ...(types.includes('array') && !has(['maxItems']) ? [path] : []),
    ...(map && !has(['maxProperties']) ? [path] : []),
    ...(map ? unboundedIn(map, `${path}.*`) : []),
    ...(schema.items ? unboundedIn(schema.items, `${path}[]`) : []),
    ...[...(schema.anyOf ?? []), ...(schema.oneOf ?? [])].flatMap((variant) => unboundedIn(variant, path)),
    ...Object.entries(schema.properties ?? {}).flatMap(([name, member]) => unboundedIn(member, `${path}.${name}`)),
  ];
}
