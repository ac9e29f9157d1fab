import type { Fields } from '../../console/forms/form-state.ts';

/** Makes the JSON body of an operation from the fields of a form, by the operation's schema. */

interface JsonSchema {
  readonly type?: string | readonly string[];
  readonly const?: unknown;
  /** The rule of a line's quantity (api/quantity-rule.ts). */
  readonly lineQuantity?: number;
  readonly enum?: readonly unknown[];
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly additionalProperties?: boolean | JsonSchema;
  readonly required?: readonly string[];
  readonly items?: JsonSchema;
  readonly anyOf?: readonly JsonSchema[];
  readonly oneOf?: readonly JsonSchema[];
}

/** Fields by the parts of their names. */
interface Node {
  readonly values: string[];
  readonly children: Map<string, Node>;
}

/** The value of a field that is not sent. */
const ABSENT = Symbol('absent');

/**
 * An empty field is absent, or null where a change clears a member. A text that is no number or no boolean stays a text, so
 * that the check of the API refuses it.
 *
 * @param isChange PATCH and PUT: an empty field clears its member.
 */
export function bodyFrom(fields: Fields, schema: object, isChange: boolean): Record<string, unknown> {
  const body = convert(treeOf(fields), schema, isChange);
  return typeof body === 'object' && body !== null ? (body as Record<string, unknown>) : {};
}

function treeOf(fields: Fields): Node {
  const root: Node = { values: [], children: new Map() };
  for (const [name, values] of fields) {
    let node = root;
    for (const part of name.split('.')) {
      const child: Node = node.children.get(part) ?? { values: [], children: new Map() };
      node.children.set(part, child);
      node = child;
    }
    node.values.push(...values);
  }
  return root;
}

function convert(node: Node, given: JsonSchema, isChange: boolean): unknown {
  const schema = branchOf(given, node);
  if (typesOf(schema).includes('array') && schema.items) return listFrom(node, schema.items, isChange);
  const isEmpty = node.values.every((value) => value === '') && node.children.size === 0;
  if (schema.properties || schema.additionalProperties instanceof Object) {
    if (isEmpty && node.values.length > 0) return cleared(given, isChange);
    return objectFrom(node, schema, isChange);
  }
  const text = node.values.at(-1) ?? '';
  if (text === '') return cleared(given, isChange);
  return scalarFrom(text, typesOf(given));
}

function cleared(schema: JsonSchema, isChange: boolean): unknown {
  if (!isChange) return ABSENT;
  return isNullable(schema) ? null : '';
}

function objectFrom(
  node: Node,
  { properties = {}, additionalProperties, required = [] }: JsonSchema,
  isChange: boolean,
) {
  const members: [string, unknown][] = [];
  for (const [name, child] of node.children) {
    const schema =
      (Object.hasOwn(properties, name) ? properties[name] : undefined) ??
      (additionalProperties instanceof Object ? additionalProperties : undefined);
    if (!schema) continue;
    const value = convert(child, schema, isChange);
    if (value === ABSENT) continue;
    // Optional, and nothing of it was filled in.
    const isHollow = !isChange && !required.includes(name) && isEmptyObject(value);
    if (!isHollow) members.push([name, value]);
  }
  return Object.fromEntries(members);
}

const isEmptyObject = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && Object.keys(value).length === 0;

/** Rows `name.0`, `name.1`, or check boxes of one name. A field with the list's own name and no value is an empty list. */
function listFrom({ values, children }: Node, items: JsonSchema, isChange: boolean): readonly unknown[] {
  const types = typesOf(items);
  const rows = [...children]
    .filter(([name]) => /^\d+$/.test(name))
    .sort(([a], [b]) => Number(a) - Number(b))
    .map(([, child]) => convert(child, items, isChange));
  return [...values.filter((value) => value !== '').map((value) => scalarFrom(value, types)), ...rows].filter(
    (value) => value !== ABSENT,
  );
}

/** The branch of a union that the fields are of: by its constant members, else the first one that is not null. */
function branchOf(schema: JsonSchema, node: Node): JsonSchema {
  const branches = (schema.oneOf ?? schema.anyOf)?.filter(({ type }) => type !== 'null');
  if (!branches) return schema;
  const isMeant = ({ properties = {} }: JsonSchema) =>
    Object.entries(properties).every(([name, { const: constant }]) => {
      const posted = node.children.get(name)?.values.at(-1);
      return constant === undefined || constant === posted;
    });
  const branch = branches.find((each) => isMeant(each)) ?? branches[0];
  return branch ? branchOf(branch, node) : schema;
}

function typesOf({ type, lineQuantity, anyOf, oneOf }: JsonSchema): readonly string[] {
  // The keyword checks the type itself.
  if (lineQuantity !== undefined) return ['number'];
  return [type ?? [], (anyOf ?? oneOf ?? []).flatMap(typesOf)].flat(2);
}

const isNullable = (schema: JsonSchema): boolean => typesOf(schema).includes('null');

/** "12.50", "1,250.00" */
const NUMBER = /^-?(?:\d{1,15}|\d{1,3}(?:,\d{3}){1,4})(?:\.\d{1,15})?$/;

function scalarFrom(text: string, types: readonly string[]): unknown {
  if (types.includes('string')) return text;
  const trimmed = text.trim();
  if (types.includes('number') || types.includes('integer'))
    return NUMBER.test(trimmed) ? Number(trimmed.replaceAll(',', '')) : text;
  if (types.includes('boolean')) return { true: true, false: false }[trimmed] ?? text;
  return text;
}
