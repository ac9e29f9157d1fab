/** A change as the audit log tells it: the members that differ, as they were and as they are now. */
export interface Changes<T> {
  readonly before: Partial<T>;
  readonly after: Partial<T>;
}

/** What a patch changes in a record, or undefined when that is nothing. Members that the patch leaves out stay. */
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
    // Members of the record and of its patch under their own names.
    before: Object.fromEntries(changed.map(([member]) => [member, was.get(member)])) as Partial<T>,
    after: Object.fromEntries(changed) as Partial<T>,
  };
}
