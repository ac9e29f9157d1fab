/** The parts of JSON Schema that say how much a value may hold. */
interface SchemaLike {
  readonly type?: string | readonly string[];
  readonly properties?: Readonly<Record<string, SchemaLike>>;
  readonly additionalProperties?: boolean | SchemaLike;
  readonly items?: SchemaLike;
  readonly anyOf?: readonly SchemaLike[];
  readonly oneOf?: readonly SchemaLike[];
}

/** Any of these bounds a text. Those but `maxLength` are one word or a short form, and their checks are linear. */
const BOUNDS_OF_TEXT = ['maxLength', 'enum', 'const', 'format', 'pattern'];

/**
 * Where a schema for requests lets a text, list or map be of any length. The check of a request costs as much as its schema
 * lets it, so such a schema is a mistake that must show when the service starts.
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
