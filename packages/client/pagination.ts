import type { QuotingClient } from './client.ts';
import { type Answer, unwrap } from './refusal.ts';
import type { paths } from './schema.d.ts';

interface Listing<T> {
  responses: { 200: { content: { 'application/json': { data: T[] } } } };
}

/** The paths of paged lists. */
export type ListPath = { [P in keyof paths]: paths[P]['get'] extends Listing<unknown> ? P : never }[keyof paths];

/** A record of a paged list. */
export type Listed<P extends ListPath> = paths[P]['get'] extends Listing<infer T> ? T : never;

/** Path and query parameters of a paged list, without the position, which `each` sets. */
export type ListParams<P extends ListPath> = paths[P]['get'] extends { parameters: infer A }
  ? {
      readonly [K in keyof A as K extends 'path' | 'query' ? K : never]: K extends 'query'
        ? Omit<NonNullable<A[K]>, 'page' | 'cursor'>
        : A[K];
    }
  : never;

interface Page {
  readonly data: readonly { readonly id: string }[];
  readonly totalPages?: number;
  /** Null on the last page; absent in lists without cursors. */
  readonly nextCursor?: string | null;
}

type Position = { readonly page: number } | { readonly cursor: string };

/**
 * Iterates over all records of a paged list, page by page: by cursor where the list has one, otherwise by number. By
 * number, records created in the meantime move others to later pages, so repeated records are skipped.
 */
export function each<P extends ListPath>(
  client: QuotingClient,
  path: P,
  params: ListParams<P>,
): AsyncGenerator<Listed<P>, void, undefined> {
  // No type parameter can express that the path decides the types of parameters and response.
  const get = client.GET as unknown as (path: P, init: { params: object }) => Answer<Page>;
  const { path: inPath, query } = params as { path?: object; query?: object };
  const records = walk((position) =>
    unwrap(get(path, { params: { ...(inPath && { path: inPath }), query: { ...query, ...position } } })),
  );
  return records as unknown as AsyncGenerator<Listed<P>, void, undefined>; // `Listed<P>` is what this path lists
}

async function* walk(read: (position: Position) => Promise<Page>): AsyncGenerator<{ readonly id: string }> {
  const seen = new Set<string>();
  let position: Position = { page: 1 };
  for (let number = 1; ; number += 1) {
    const { data, totalPages = number, nextCursor } = await read(position);
    for (const record of data) {
      if (seen.has(record.id)) continue;
      if (nextCursor === undefined) seen.add(record.id);
      yield record;
    }
    if (nextCursor === null || (nextCursor === undefined && number >= totalPages)) return;
    position = nextCursor === undefined ? { page: number + 1 } : { cursor: nextCursor };
  }
}
