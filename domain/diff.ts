/** A change for the audit log: the members that differ, before and after. */
export interface Changes<T> {
  readonly before: Partial<T>;
  readonly after: Partial<T>;
}

/** What a patch changes in a record; undefined when that is nothing. Members that the patch omits do not change. */
export function changesOf<T extends object>(
  record: T,
  patch: { readonly [K in keyof T]?: T[K] | undefined },
): Changes<T> | undefined {
  const was = new Map<string, unknown>(Object.entries(record));
  const changed = Object.entries<unknown>(patch).filter(
    ([member, value]) => value !== undefined && value !== was.get(member),
  );
  if (changed.length === 0) return undefined;
  return {
    before: Object.fromEntries(changed.map(([member]) => [member, was.get(member)])) as Partial<T>,
    after: Object.fromEntries(changed) as Partial<T>,
  };
}
