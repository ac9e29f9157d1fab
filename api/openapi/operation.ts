import type { TSchema } from 'typebox';
import type { Access, DocumentedResponse, Route } from '../route.ts';
import { EMAIL_PATTERN } from '../../domain/email-address.ts';
import { errorResponses } from './refusals.ts';
import { sampleOf } from './sample.ts';

/**
 * What the document leaves out: keywords of ours that no other tool knows; the closing of requests, since unknown
 * members are dropped, not refused; and discriminators, which OpenAPI allows over named schemas only.
 */
const PRIVATE = new Set(['trim', 'maxDecimals', 'additionalProperties', 'discriminator']);

/** A schema as the document prints it. */
export function printable(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(printable);
  if (typeof schema !== 'object' || schema === null) return schema;
  const members = Object.entries(schema)
    .filter(([key]) => !PRIVATE.has(key))
    .map(([key, value]): [string, unknown] => [key, printable(value)]);
  return { ...Object.fromEntries(members), ...inStandardWords(schema) };
}

/** What our own keywords and formats mean, in words that every tool knows. */
function inStandardWords(schema: object): object {
  const { trim, minLength, maxDecimals, format, pattern } = schema as Readonly<Record<string, unknown>>;
  return {
    ...(typeof maxDecimals === 'number' && { multipleOf: Number(`1e-${maxDecimals}`) }),
    // Only spaces are nothing once they are trimmed.
    ...(trim === true && minLength === 1 && pattern === undefined && { pattern: '\\S' }),
    ...(format === 'email' && { pattern: EMAIL_PATTERN }),
  };
}

/** One operation of the document, all of it read off the route's declaration. */
export function operation(route: Route): object {
  return {
    tags: [route.tag],
    summary: route.summary,
    description: [route.description, accessNote(route)].filter(Boolean).join('\n\n'),
    operationId: operationId(route),
    security: route.access === 'public' ? [] : [{ session: [] }, { apiKey: [] }],
    parameters: [
      ...parameters(route.params, 'path'),
      ...parameters(route.query, 'query'),
      ...((route.idempotency ?? 'none') === 'none' ? [] : [{ $ref: '#/components/parameters/IdempotencyKey' }]),
    ],
    ...(route.body && {
      requestBody: {
        // A body of optional members only may be left out: nothing is then changed.
        required: ((route.body as { required?: readonly string[] }).required ?? []).length > 0,
        content: route.upload
          ? { 'multipart/form-data': { schema: printable(route.body) } }
          : { 'application/json': { schema: printable(route.body), example: sampleOf(route.body) } },
      },
    }),
    responses: {
      ...Object.fromEntries(Object.entries(route.responses).map(([status, answer]) => [status, success(answer)])),
      ...errorResponses(route),
    },
  };
}

const success = ({ description, schema, contentType = 'application/json' }: DocumentedResponse): object => ({
  description,
  headers: { 'X-Request-Id': { $ref: '#/components/headers/RequestId' } },
  content: {
    [contentType]: schema
      ? { schema: printable(schema), example: sampleOf(schema) }
      : { schema: { type: 'string', format: 'binary' } },
  },
});

const accessNote = ({ access, feature }: Route): string => {
  const words: Partial<Record<Access, string>> = { public: 'Pública.', authenticated: 'Cualquier sesión o clave.' };
  return [words[access] ?? `Permiso: \`${access}\`.`, feature ? 'Solo en el plan PRO.' : ''].join(' ').trim();
};

/** post_quotes_id_share: stable, and unique because method and path are. */
const operationId = ({ method, path }: Route): string =>
  [method.toLowerCase(), ...path.split('/').slice(2)].join('_').replace(/[^\w]+/g, '');

function parameters(schema: TSchema | undefined, place: 'path' | 'query'): readonly object[] {
  const { properties = {}, required = [] } = (schema ?? {}) as {
    properties?: Record<string, TSchema>;
    required?: readonly string[];
  };
  return Object.entries(properties).map(([name, property]) => {
    const { description, ...rest } = printable(property) as { description?: string };
    return {
      name,
      in: place,
      required: place === 'path' || required.includes(name),
      ...(description && { description }),
      schema: rest,
    };
  });
}
