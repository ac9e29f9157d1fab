import type { TSchema } from 'typebox';
import { MAX_REST_BYTES } from '../read-upload.ts';
import { type Access, type DocumentedResponse, MAX_BODY_BYTES, type Route } from '../route.ts';
import { linksFrom } from './links.ts';
import type { Components } from './components.ts';
import type { Variant } from './introduction.ts';
import { printable, requiredMembers } from './printable.ts';
import { errorResponses } from './refusals.ts';
import { sampleOf } from './sample.ts';

/** What the operations of a document have in common. */
interface Context extends Variant {
  readonly routes: readonly Route[];
  readonly components: Components;
}

/** The operation object of a route, with links to other routes. */
export function operation(route: Route, { routes, components, hasSessions }: Context): object {
  const body = printable(route.body, 'request', components);
  const links = linksFrom(route, routes);
  return {
    tags: [route.tag],
    summary: route.summary,
    description: [route.description, accessNote(route)].filter(Boolean).join('\n\n'),
    operationId: route.operationId,
    security: route.access === 'public' ? [] : [...(hasSessions ? [{ session: [] }] : []), { apiKey: [] }],
    parameters: [
      ...parameters(route.params, 'path', components),
      ...parameters(route.query, 'query', components),
      ...((route.idempotency ?? 'none') === 'none' ? [] : [{ $ref: '#/components/parameters/IdempotencyKey' }]),
    ],
    ...(route.body && {
      requestBody: {
        description: `A lo más ${sizeOf(maxBytesOf(route))}.`,
        'x-max-bytes': maxBytesOf(route),
        // A body with only optional members may be omitted.
        required: (requiredMembers(route.body).required ?? []).length > 0,
        content: route.upload
          ? { 'multipart/form-data': { schema: body } }
          : { 'application/json': { schema: body, example: sampleOf(route.body) } },
      },
    }),
    responses: {
      ...Object.fromEntries(
        Object.entries(route.responses).map(([status, response]) => [
          status,
          { ...success(response, components), ...(status === '201' && Object.keys(links).length > 0 && { links }) },
        ]),
      ),
      ...errorResponses(route),
    },
  };
}

const maxBytesOf = ({ upload, maxBodyBytes = MAX_BODY_BYTES }: Route): number =>
  upload ? upload.maxBytes + MAX_REST_BYTES : maxBodyBytes;

/** "768 KiB", "2 MiB + 64 KiB" */
function sizeOf(bytes: number): string {
  const mebibytes = Math.floor(bytes / 1_048_576);
  const kibibytes = (bytes % 1_048_576) / 1_024;
  return [...(mebibytes > 0 ? [`${mebibytes} MiB`] : []), ...(kibibytes > 0 ? [`${kibibytes} KiB`] : [])].join(' + ');
}

const success = (
  { description, schema, contentType = 'application/json' }: DocumentedResponse,
  components: Components,
): object => ({
  description,
  headers: {
    'X-Request-Id': { $ref: '#/components/headers/RequestId' },
    'X-Ignored-Members': { $ref: '#/components/headers/IgnoredMembers' },
  },
  content: Object.fromEntries(
    [contentType]
      .flat()
      .map((type) => [
        type,
        schema
          ? { schema: printable(schema, 'response', components), example: sampleOf(schema) }
          : { schema: { type: 'string', format: 'binary' } },
      ]),
  ),
});

const accessNote = ({ access, feature }: Route): string => {
  const words: Partial<Record<Access, string>> = { public: 'Pública.', authenticated: 'Cualquier sesión o clave.' };
  return [words[access] ?? `Permiso: \`${access}\`.`, feature ? 'Solo en el plan PRO.' : ''].join(' ').trim();
};

/** An empty query parameter counts as absent. */
const orEmpty = ({ minLength: _least, pattern, ...schema }: { minLength?: number; pattern?: string }): object => ({
  ...schema,
  ...(pattern !== undefined && { pattern: `^$|${pattern}` }),
});

function parameters(schema: TSchema | undefined, place: 'path' | 'query', components: Components): readonly object[] {
  const { properties = {}, required = [] } = (schema ?? {}) as {
    properties?: Record<string, TSchema>;
    required?: readonly string[];
  };
  return Object.entries(properties).map(([name, property]) => {
    const { description, ...rest } = printable(property, 'request', components) as {
      description?: string;
      minLength?: number;
      pattern?: string;
    };
    return {
      name,
      in: place,
      // Parameters with a default are optional.
      required: place === 'path' || (required.includes(name) && !('default' in property)),
      ...(description && { description }),
      // Each member is a parameter of its own.
      ...(place === 'query' && 'type' in property && property.type === 'object' && { style: 'form', explode: true }),
      schema: place === 'query' ? orEmpty(rest) : rest,
    };
  });
}
