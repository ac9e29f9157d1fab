import { isDeepStrictEqual } from 'node:util';

/** The schemas under `components` of a document, by name. */
export class Components {
  readonly #schemas = new Map<string, object>();

  /** A reference to the component `name`, which is added. Throws if another shape has that name. */
  add(name: string, shape: object): { readonly $ref: string } {
    const known = this.#schemas.get(name);
    if (known === undefined) this.#schemas.set(name, shape);
    else if (!isDeepStrictEqual(known, shape)) throw new Error(`two schemas with different shapes are named ${name}`);
    return { $ref: `#/components/schemas/${name}` };
  }

  /** All of them, in alphabetical order. */
  all(): Readonly<Record<string, object>> {
    return Object.fromEntries([...this.#schemas].toSorted(([a], [b]) => (a < b ? -1 : 1)));
  }
}
