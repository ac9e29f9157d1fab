/** A copy of a body with another value at a path such as `items.0.quantity`. */
export function withMember(body: unknown, path: string, value: unknown): unknown {
  const copy: unknown = structuredClone(body);
  const names = path.split('.');
  const last = names.pop() ?? '';
  const holder = names.reduce((at, name) => Reflect.get(at as object, name) as unknown, copy);
  Reflect.set(holder as object, last, value);
  return copy;
}
