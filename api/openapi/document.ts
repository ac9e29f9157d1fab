import { sessionCookieName } from '../../adapters/crypto/session-cookie.ts';
import type { Route } from '../route.ts';
import { ErrorBody } from '../schema.ts';
import { versioned } from '../versioned.ts';
import { Components } from './components.ts';
import { introduction, type Variant } from './introduction.ts';
import { operation } from './operation.ts';
import { printable } from './printable.ts';
import { tagsSection } from './tags.ts';
import { webhooksSection } from './webhooks.ts';

/** `*`, or entity tags separated by commas. */
const ENTITY_TAGS = '^(\\*|(W/)?"[!#-~]*"( *, *(W/)?"[!#-~]*")*)$';
const ENTITY_TAG = '"7-3q2v9XwZ1kLm0pRt"';

/** The document of all routes, generated from their declarations and the schemas that validate requests. */
export const openApiDocument = (routes: readonly Route[], publicUrl: string): object =>
  documentOf(routes, publicUrl, { hasSessions: true });

/** The document for integrations: the routes under /api/v1, with an API key as the only credential. */
export const integratorDocument = (routes: readonly Route[], publicUrl: string): object =>
  documentOf(
    routes.flatMap((route) => versioned(route) ?? []),
    publicUrl,
    { hasSessions: false },
  );

function documentOf(routes: readonly Route[], publicUrl: string, variant: Variant): object {
  const components = new Components();
  printable(ErrorBody, 'response', components);
  const paths: Record<string, Record<string, object>> = {};
  for (const route of routes) {
    const path = route.path.replace(/:(\w+)/g, '{$1}');
    paths[path] = {
      ...paths[path],
      [route.method.toLowerCase()]: operation(route, { routes, components, ...variant }),
    };
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Cotizaciones',
      version: '1.0.0',
      description: introduction(variant),
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: publicUrl }],
    tags: tagsSection([...routes.map(({ tag }) => tag), 'Webhooks']),
    paths,
    webhooks: webhooksSection(components),
    components: {
      // After the paths and webhooks, which add to them.
      schemas: components.all(),
      parameters: {
        IdempotencyKey: {
          name: 'Idempotency-Key',
          in: 'header',
          description:
            'Repetir la solicitud con la misma clave en 24 horas devuelve la misma respuesta, sin otro efecto.',
          schema: { type: 'string', minLength: 1, maxLength: 255, pattern: '^[\\x21-\\x7e]+$' },
        },
        IfMatch: {
          name: 'If-Match',
          in: 'header',
          description:
            'El ETag de la versión leída, o varios, separados por comas: si el registro ya tiene otro, 412 y nada cambia. `*`: ' +
            'cualquiera. Una etiqueta débil (`W/`) no es la de ninguno.',
          schema: { type: 'string', format: 'entity-tags', pattern: ENTITY_TAGS, examples: [ENTITY_TAG] },
        },
        IfNoneMatch: {
          name: 'If-None-Match',
          in: 'header',
          description:
            'El ETag de la versión que ya se tiene, o varios: si el registro sigue igual, 304 sin contenido.',
          schema: { type: 'string', format: 'entity-tags', pattern: ENTITY_TAGS, examples: [ENTITY_TAG] },
        },
      },
      headers: {
        ETag: {
          description:
            'La versión del registro, entre comillas. Cambia con lo que cambia la respuesta, menos `viewCount`, `logoUrl` y el ' +
            '`nextQuoteNumber` que avanza con cada cotización.',
          schema: { type: 'string', pattern: '^"[!#-~]*"$', examples: [ENTITY_TAG] },
        },
        RequestId: { description: 'El identificador de la solicitud', schema: { type: 'string' } },
        IgnoredMembers: {
          description:
            'Los miembros y parámetros desconocidos que se ignoraron, separados por comas y con escapes de URL; a lo más 1 KiB.',
          schema: { type: 'string', maxLength: 1024 },
        },
      },
      securitySchemes: {
        ...(variant.hasSessions && { session: sessionScheme(publicUrl) }),
        apiKey: { type: 'http', scheme: 'bearer', description: 'svc_ y 40 dígitos hexadecimales' },
      },
    },
  };
}

const sessionScheme = (publicUrl: string): object => ({
  type: 'apiKey',
  in: 'cookie',
  name: sessionCookieName(publicUrl.startsWith('https:')),
  description: 'Sesión iniciada',
});
