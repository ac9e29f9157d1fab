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
  readonly responses: Readonly<Record<string, { readonly content: Readonly<Record<string, { schema: object }>> }>>;
}

/** Throws if a JSON response does not match the document. Responses of unknown paths must be errors. */
export type Conformance = (answer: { method: string; path: string; status: number; body: unknown }) => void;

export function createConformance({ paths, components }: OpenApi): Conformance {
  const ajv = new Ajv2020({ strict: false, allErrors: true });
  // CommonJS: under nodenext the plugin is the default of its namespace.
  formats.default(ajv);
  const compiled = new Map<object, ValidateFunction>();
  const validatorOf = (schema: object): ValidateFunction => {
    // Schemas can reference the components.
    const known = compiled.get(schema) ?? ajv.compile({ ...(closedOff(schema) as object), components });
    compiled.set(schema, known);
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
    const declared = paths[template]?.[method.toLowerCase()]?.responses[status];
    const schema = status < 400 ? declared?.content['application/json']?.schema : components.schemas['Error'];
    assert.ok(schema, `${method} ${plain} answers ${status} with JSON, which the document does not declare`);
    const valid = validatorOf(schema);
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
