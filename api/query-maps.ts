import type { ParsedUrlQuery } from 'node:querystring';

/** Query parameters with a name of the caller's choice: `metadata.order=7` is `{metadata: {order: '7'}}` to the schema. */

interface QuerySchema {
  readonly properties?: Readonly<Record<string, { readonly type?: string | readonly string[] }>>;
}

/** The members of a query schema that are maps. */
export const mapsOf = (schema: QuerySchema | undefined): readonly string[] =>
  Object.entries(schema?.properties ?? {})
    .filter(([, { type }]) => type === 'object')
    .map(([name]) => name);

/** Gathers the parameters of each map. Those without a value count as absent, like all parameters. */
export function withMaps(query: ParsedUrlQuery, maps: readonly string[]): object {
  if (maps.length === 0) return query;
  const plain: [string, unknown][] = [];
  const gathered = new Map<string, [string, unknown][]>();
  for (const [name, value] of Object.entries(query)) {
    const map = maps.find((prefix) => name.startsWith(`${prefix}.`));
    if (map === undefined) plain.push([name, value]);
    else if (value !== '') gathered.set(map, [...(gathered.get(map) ?? []), [name.slice(map.length + 1), value]]);
  }
  return Object.fromEntries([...plain, ...[...gathered].map(([map, members]) => [map, Object.fromEntries(members)])]);
}
