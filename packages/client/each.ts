/** A page of a list. */
export interface Page<T> {
  readonly data: readonly T[];
  readonly totalPages: number;
}

/**
 * Iterates over all records of a paged list; `read` fetches a page by its number, from 1. Records created in the
 * meantime move others to later pages, so repeated records are skipped.
 */
export async function* each<T extends { readonly id: string }>(
  read: (page: number) => Promise<Page<T>>,
): AsyncGenerator<T, void, undefined> {
  const seen = new Set<string>();
  for (let page = 1; ; page += 1) {
    const { data, totalPages } = await read(page);
    for (const record of data) {
      if (seen.has(record.id)) continue;
      seen.add(record.id);
      yield record;
    }
    if (page >= totalPages) return;
  }
}
