import { isDeepStrictEqual } from 'node:util';

/** The schemas under `components` of a document, by name. */
export class Components {
  readonly #schemas = new Map<string, object>();
  readonly #printed = { request: new Map<object, object>(), response: new Map<object, object>() };

  /** A reference to the component `name`, which is added. Throws if another shape has that name. */
  add(name: string, shape: object): { readonly $ref: string } {
    const known = this.#schemas.get(name);
    if (known === undefined) this.#schemas.set(name, shape);
    else if (!isDeepStrictEqual(known, shape)) throw new Error(`two schemas with different shapes are named ${name}`);
    return { $ref: `#/components/schemas/${name}` };
  }

  /** What `print` returns for a schema, which is printed only once for each direction. */
  once(schema: object, side: 'request' | 'response', print: () => object): object {
    const known = this.#printed[side].get(schema);
    if (known !== undefined) return known;
    const printed = print();
    this.#printed[side].set(schema, printed);
    return printed;
  }

  /** All of them, in alphabetical order. */
  all(): Readonly<Record<string, object>> {
    return Object.fromEntries([...this.#schemas].toSorted(([a], [b]) => (a < b ? -1 : 1)));
  }
}
