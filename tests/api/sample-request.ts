/** Valid requests with all members, made from schemas, for tests that send something to every route. */

/** The keywords of JSON Schema that samples are made from. */
interface SchemaLike {
  readonly type?: string | readonly string[];
  readonly examples?: readonly unknown[];
  readonly default?: unknown;
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly anyOf?: readonly SchemaLike[];
  readonly oneOf?: readonly SchemaLike[];
  readonly properties?: Readonly<Record<string, SchemaLike>>;
  readonly items?: SchemaLike;
  readonly minimum?: number;
  readonly format?: string;
  readonly required?: readonly string[];
}

const BY_FORMAT: Readonly<Record<string, string>> = {
  'date-time': '2026-12-15T18:30:00.000Z',
  date: '2026-12-15',
  uri: 'https://example.com/aviso',
  email: 'ana@example.com',
};

/** A value that matches the schema: its example, or else the simplest one. */
export function sampleOf(schema: SchemaLike): unknown {
  if (schema.examples && schema.examples.length > 0) return schema.examples[0];
  if (schema.const !== undefined) return schema.const;
  if (schema.default !== undefined) return schema.default;
  if (schema.enum && schema.enum.length > 0) return schema.enum[0];
  const [branch] = schema.oneOf ?? schema.anyOf ?? [];
  if (branch) return sampleOf(branch);
  switch (typeof schema.type === 'string' ? schema.type : schema.type?.[0]) {
    case 'object':
      return Object.fromEntries(
        Object.entries(schema.properties ?? {})
          .filter(([name, part]) => schema.required?.includes(name) || isExplicit(part))
          .map(([name, part]) => [name, sampleOf(part)]),
      );
    case 'array':
      return schema.items ? [sampleOf(schema.items)] : [];
    case 'integer':
    case 'number':
      return schema.minimum ?? 1;
    case 'boolean':
      return true;
    case 'null':
      return null;
    default:
      return BY_FORMAT[schema.format ?? ''] ?? 'texto';
  }
}

/** Optional members are included only if the schema has an example for them. */
const isExplicit = ({ examples, default: fallback, enum: words }: SchemaLike): boolean =>
  examples !== undefined || fallback !== undefined || words !== undefined;
