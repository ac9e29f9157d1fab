/** What a form shows: values by field name, and what was wrong with them. Names are paths: `contacts.0.email`. */
export interface FormState {
  /** The Idempotency-Key of its submission. */
  readonly key: string;
  /** The ETag of the record that it changes. */
  readonly tag: string | undefined;
  readonly fields: Fields;
  /** Messages by field name; in the order of the fields. */
  readonly errors: ReadonlyMap<string, string>;
  /** The sentence of a refusal as a whole. */
  readonly refusal: string | undefined;
  /** The record changed since the form was opened. */
  readonly isOutdated: boolean;
}

/** Values by field name, in the order of the form. A name with several check boxes has several values. */
export type Fields = ReadonlyMap<string, readonly string[]>;

export const valueOf = ({ fields }: Pick<FormState, 'fields'>, name: string): string => fields.get(name)?.at(-1) ?? '';

/** How many rows the fields have below a name: `items.0.…`, `items.1.…` are two. */
export function rowCount({ fields }: Pick<FormState, 'fields'>, name: string): number {
  const rows = [...fields.keys()].flatMap((field) =>
    field.startsWith(`${name}.`) ? [Number(field.slice(name.length + 1).split('.')[0]) + 1] : [],
  );
  return Math.max(0, ...rows.filter(Number.isFinite));
}

/** A record as the fields of its form. Null and absent members are empty. */
export function fieldsOf(record: object): Fields {
  const fields = new Map<string, string[]>();
  const add = (name: string, value: unknown): void => {
    if (value === null || value === undefined) fields.set(name, ['']);
    else if (typeof value === 'object')
      for (const [member, inner] of Object.entries(value)) add(`${name}.${member}`, inner);
    else fields.set(name, [typeof value === 'string' ? value : JSON.stringify(value)]);
  };
  for (const [name, value] of Object.entries(record)) add(name, value);
  return fields;
}
