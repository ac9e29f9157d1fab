/** A page of a list. */
export interface Page<T> {
  readonly data: readonly T[];
  readonly totalPages: number;
}

/**
 * Every record of a paged list, from the first page to the last; `read` fetches the page of that number, counted from 1.
 * Lists are live: what is created meanwhile moves the rest along, so a record that comes a second time is left out.
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
