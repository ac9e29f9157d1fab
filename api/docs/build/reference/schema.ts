import { type Html, html } from '../../../../domain/html.ts';
import { renderLine } from '../markdown.ts';
import { MODELS_PAGE, nameOf, type OpenApi, resolved, type Schema } from './openapi.ts';

/** The OpenAPI document is written in this language, the pages around it in English. */
export const LANGUAGE = 'es-MX';
/** Longer ones are for programs; the description says what they allow. */
const MAX_PATTERN = 40;
/** No model is nested deeper; a circular one ends here. */
const MAX_DEPTH = 8;

/** A schema in words: `string | null`, `array of Quote`, with links to models. */
export function typeOf(schema: Schema): Html {
  if (schema.$ref !== undefined) {
    const name = nameOf(schema.$ref);
    return html`<a href="${MODELS_PAGE}#${name}">${name}</a>`;
  }
  const branches = schema.oneOf ?? schema.anyOf;
  if (branches) return joined(branches.map(typeOf));
  if (schema.const !== undefined) return html`<code>${JSON.stringify(schema.const)}</code>`;
  const types = [schema.type ?? (schema.properties ? 'object' : 'any')].flat();
  return joined(
    types.map((type) => (type === 'array' && schema.items ? html`array of ${typeOf(schema.items)}` : html`${type}`)),
  );
}

const joined = (parts: readonly Html[]): Html =>
  html`${[...new Map(parts.map((part) => [String(part), part])).values()].map((part, i) => html`${i > 0 ? ' | ' : ''}${part}`)}`;

/** What a value must satisfy beside its type. */
export function limitsOf(schema: Schema): readonly Html[] {
  const { minLength, maxLength, minimum, maximum, exclusiveMinimum, exclusiveMaximum, minItems, maxItems } = schema;
  const range = (least: number | undefined, most: number | undefined, unit: string): readonly Html[] => {
    if (least === undefined && most === undefined) return [];
    if (least === undefined || (least === 0 && unit !== ''))
      return most === undefined ? [] : [html`up to ${most}${unit}`];
    return [most === undefined ? html`${least} or more${unit}` : html`${least} to ${most}${unit}`];
  };
  return [
    ...(schema.format === undefined ? [] : [html`${schema.format}`]),
    ...range(minLength, maxLength, ' characters'),
    ...range(minimum, maximum, ''),
    ...(exclusiveMinimum === undefined ? [] : [html`more than ${exclusiveMinimum}`]),
    ...(exclusiveMaximum === undefined ? [] : [html`less than ${exclusiveMaximum}`]),
    ...range(minItems, maxItems, ' items'),
    ...(schema.pattern === undefined || schema.pattern.length > MAX_PATTERN
      ? []
      : [html`<code>${schema.pattern}</code>`]),
    ...(schema.default === undefined ? [] : [html`default <code>${JSON.stringify(schema.default)}</code>`]),
  ];
}

export interface Nesting {
  /** How many levels of models are shown in place; below they are links only. */
  readonly models: number;
  readonly depth?: number;
}

/** The members of a schema, nested ones to be opened. */
export function members(document: OpenApi, schema: Schema, { models, depth = 0 }: Nesting): Html | null {
  const shape = unwrapped(resolved(document, schema));
  if (depth > MAX_DEPTH) return null;
  const below = { models, depth: depth + 1 };
  if (shape.allOf) return html`${shape.allOf.flatMap((part) => members(document, part, below) ?? [])}`;
  const variants = (shape.oneOf ?? shape.anyOf ?? []).filter((each) => !isNull(each));
  if (variants.length > 1 && variants.some((each) => hasMembers(document, each))) {
    return html`<p class="soft">One of:</p>
      ${variants.map((each, i) => nested(variantName(document, each, i), members(document, each, below)))}`;
  }
  const list = Object.entries(shape.properties ?? {});
  const { additionalProperties: others } = shape;
  if (list.length === 0 && typeof others !== 'object') {
    return shape.items ? members(document, shape.items, below) : null;
  }
  return html`<dl class="members">
    ${list.map(([name, part]) => member(document, { name, part, isRequired: shape.required?.includes(name) ?? false }, below))}
    ${typeof others === 'object' ? member(document, { name: 'any other name', part: others, isRequired: false }, below) : null}
  </dl>`;
}

function member(
  document: OpenApi,
  { name, part, isRequired }: { readonly name: string; readonly part: Schema; readonly isRequired: boolean },
  below: Required<Nesting>,
): Html {
  const inner = unwrapped(part);
  const target = inner.items && !inner.properties ? unwrapped(inner.items) : inner;
  const model = target.$ref === undefined ? undefined : nameOf(target.$ref);
  const inside = model === undefined ? below : { ...below, models: below.models - 1 };
  const children = inside.models < 0 ? null : members(document, target, inside);
  return html`<div>
    <dt><code>${name}</code> ${attributes(part, isRequired)}</dt>
    <dd>${describe(part)}${children && nested(model === undefined ? 'Members' : `Members of ${model}`, children)}</dd>
  </div> `;
}

const attributes = (schema: Schema, isRequired: boolean): Html =>
  html`<span class="type">${typeOf(schema)}</span>${isRequired ? html` <span class="required">required</span>` : null}`;

/** Description, limits and allowed values. */
export function describe(schema: Schema): Html {
  const inner = unwrapped(schema);
  const text = schema.description ?? inner.description;
  const limits = limitsOf(inner);
  const values = inner.enum ?? inner.items?.enum ?? [];
  return html`${text ? html`<p lang="${LANGUAGE}">${renderLine(text)}</p>` : null}${
    limits.length > 0
      ? html`<p class="limits">${limits.map((each, i) => html`${i > 0 ? ' · ' : ''}${each}`)}</p>`
      : null
  }${allowed(values)}`;
}

/** More of them are opened on demand. */
const MAX_VALUES = 12;

function allowed(values: readonly unknown[]): Html | null {
  if (values.length === 0) return null;
  const list = html`<p class="values">${values.map((value) => html`<code>${String(value)}</code> `)}</p>`;
  return values.length > MAX_VALUES ? nested(`${values.length} values`, list) : list;
}

const nested = (title: string, content: Html | null): Html =>
  content === null
    ? html`<p>${title}</p>`
    : html`<details class="nested">
        <summary>${title}</summary>
        ${content}
      </details>`;

const isNull = ({ type, const: value }: Schema): boolean => type === 'null' || value === null;

/** `X` of `anyOf: [X, null]`, which is how an optional object is written. */
function unwrapped(schema: Schema): Schema {
  const branches = (schema.anyOf ?? schema.oneOf ?? []).filter((each) => !isNull(each));
  const [only] = branches;
  return only && branches.length === 1 ? only : schema;
}

const hasMembers = (document: OpenApi, schema: Schema): boolean => resolved(document, schema).properties !== undefined;

/** The model's name, or the values that tell this variant from the others. */
function variantName(document: OpenApi, schema: Schema, index: number): string {
  if (schema.$ref !== undefined) return nameOf(schema.$ref);
  const fixed = Object.entries(resolved(document, schema).properties ?? {}).flatMap(([name, part]) => {
    const value = part.const ?? (part.enum?.length === 1 ? part.enum[0] : undefined);
    return value === undefined ? [] : [`${name}: ${JSON.stringify(value)}`];
  });
  return fixed[0] ?? schema.title ?? `Form ${index + 1}`;
}
