import type { TSchema } from 'typebox';
import { ErrorBody } from './schema.ts';
import type { Access, Route } from './route.ts';

/** OpenAPI 3.1 from the route declarations: the schemas that validate are the ones that are printed. */
export function openApiDocument(routes: readonly Route[], publicUrl: string): object {
  const paths: Record<string, Record<string, object>> = {};
  for (const route of routes) {
    const path = route.path.replace(/:(\w+)/g, '{$1}');
    paths[path] = { ...paths[path], [route.method.toLowerCase()]: operation(route) };
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Cotizaciones',
      version: '1.0.0',
      description:
        'Cotizaciones de un negocio: crearlas, enviarlas en PDF por correo y seguirlas hasta su respuesta. ' +
        'Las rutas de /api existen también bajo /api/v1, solo para claves de API.',
    },
    servers: [{ url: publicUrl }],
    tags: [...new Set(routes.map(({ tag }) => tag))].map((name) => ({ name })),
    paths,
    components: {
      schemas: { Error: printable(ErrorBody) },
      securitySchemes: {
        session: { type: 'apiKey', in: 'cookie', name: 'quoting.session-token' },
        apiKey: { type: 'http', scheme: 'bearer', description: 'svc_ y 40 dígitos hexadecimales' },
      },
    },
  };
}

function operation(route: Route): object {
  return {
    tags: [route.tag],
    summary: route.summary,
    description: [route.description, accessNote(route)].filter(Boolean).join('\n\n'),
    operationId: operationId(route),
    security: route.access === 'public' ? [] : [{ session: [] }, { apiKey: [] }],
    ...(route.params || route.query
      ? { parameters: [...parameters(route.params, 'path'), ...parameters(route.query, 'query')] }
      : {}),
    ...(route.body && {
      requestBody: { required: true, content: { 'application/json': { schema: printable(route.body) } } },
    }),
    responses: {
      ...Object.fromEntries(
        Object.entries(route.responses).map(([status, { description, schema, contentType = 'application/json' }]) => [
          status,
          {
            description,
            content: { [contentType]: { schema: schema ? printable(schema) : { type: 'string', format: 'binary' } } },
          },
        ]),
      ),
      default: {
        description: 'Un error, siempre con esta forma',
        content: { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } },
      },
    },
  };
}

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
    required?: string[];
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

/** Keywords of ours that no other tool knows, and the closing of requests: unknown members are dropped, not refused. */
const PRIVATE = new Set(['trim', 'maxDecimals', 'additionalProperties']);

function printable(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(printable);
  if (typeof schema !== 'object' || schema === null) return schema;
  return Object.fromEntries(
    Object.entries(schema)
      .filter(([key]) => !PRIVATE.has(key))
      .map(([key, value]) => [key, printable(value)]),
  );
}
