import assert from 'node:assert/strict';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';

/**
 * Checks responses against /api/openapi.json. All responses in tests pass through it, so an undeclared or missing
 * member fails the test.
 */

/** The parts of an OpenAPI document that are used here. */
export interface OpenApi {
  readonly openapi: string;
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, object>> };
}

export interface Operation {
  readonly operationId: string;
  readonly responses: Readonly<Record<string, { readonly content?: Readonly<Record<string, { schema: object }>> }>>;
}

/** Throws if a JSON response does not match the document. Responses of unknown paths must be errors. */
export type Conformance = (answer: { method: string; path: string; status: number; body: unknown }) => void;

export function createConformance(document: OpenApi): Conformance {
  const { paths, components } = document;
  const ajv = new Ajv2020({ strict: false, allErrors: true });
  // CommonJS: under nodenext the plugin is the default of its namespace.
  formats.default(ajv);
  // Schemas refer to the components, so they are addressed within the document.
  ajv.addSchema(closedOff(document) as OpenApi, 'openapi', undefined, false);
  const compiled = new Map<string, ValidateFunction>();
  const validatorOf = (place: readonly string[]): ValidateFunction => {
    const $ref = `openapi#/${place.map((step) => encodeURIComponent(step.replaceAll('/', '~1'))).join('/')}`;
    const known = compiled.get($ref) ?? ajv.compile({ $ref });
    compiled.set($ref, known);
    return known;
  };
  const patterns = Object.keys(paths)
    // A literal path before one with a parameter that would match it.
    .toSorted((a, b) => a.split('{').length - b.split('{').length)
    .map((path) => ({ path, pattern: new RegExp(`^${path.replace(/\{\w+\}/g, '[^/]+')}$`) }));

  return ({ method, path, status, body }) => {
    const plain = (path.split('?')[0] ?? '').replace(/^\/api\/v1\//, '/api/');
    // The document contains only the API, not /healthz and pages.
    if (status < 400 && !plain.startsWith('/api/')) return;
    const template = patterns.find(({ pattern }) => pattern.test(plain))?.path ?? '';
    const operation = ['paths', template, method.toLowerCase()];
    const place =
      status < 400
        ? [...operation, 'responses', String(status), 'content', 'application/json', 'schema']
        : ['components', 'schemas', 'Error'];
    const declared = paths[template]?.[method.toLowerCase()]?.responses[status];
    const schema = status < 400 ? declared?.content?.['application/json']?.schema : components.schemas['Error'];
    assert.ok(schema, `${method} ${plain} answers ${status} with JSON, which the document does not declare`);
    const valid = validatorOf(place);
    assert.ok(valid(body), `${method} ${plain} ${status}: ${ajv.errorsText(valid.errors)}\n${JSON.stringify(body)}`);
  };
}

/** Closes all objects of a schema, so that undeclared members are errors. */
export function closedOff(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(closedOff);
  if (typeof schema !== 'object' || schema === null) return schema;
  const copy = Object.fromEntries(Object.entries(schema).map(([key, value]) => [key, closedOff(value)]));
  return 'properties' in schema && 'type' in schema ? { ...copy, additionalProperties: false } : copy;
}

/** The document with components in place of references to them, for tests that read members of schemas. */
export function inlined<T>(document: T & { readonly components: OpenApi['components'] }): T {
  const { schemas } = document.components;
  const inline = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(inline);
    if (typeof value !== 'object' || value === null) return value;
    const { $ref, ...rest } = value as { $ref?: unknown };
    const name = typeof $ref === 'string' ? /^#\/components\/schemas\/(\w+)$/.exec($ref)?.[1] : undefined;
    if (name !== undefined) return { ...(inline(schemas[name]) as object), ...rest };
    return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, inline(member)]));
  };
  // Only references are replaced, which no type declares.
  return inline(document) as T;
}
