import { sessionCookieName } from '../../adapters/crypto/session-cookie.ts';
import type { Route } from '../route.ts';
import { ErrorBody } from '../schema.ts';
import { Components } from './components.ts';
import { operation } from './operation.ts';
import { printable } from './printable.ts';
import { tagsSection } from './tags.ts';
import { webhooksSection } from './webhooks.ts';

/** The OpenAPI 3.1 document, generated from the route declarations and the schemas that validate requests. */
export function openApiDocument(routes: readonly Route[], publicUrl: string): object {
  const cookie = sessionCookieName(publicUrl.startsWith('https:'));
  const components = new Components();
  printable(ErrorBody, 'response', components);
  const paths: Record<string, Record<string, object>> = {};
  for (const route of routes) {
    const path = route.path.replace(/:(\w+)/g, '{$1}');
    paths[path] = { ...paths[path], [route.method.toLowerCase()]: operation(route, routes, components) };
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Cotizaciones',
      version: '1.0.0',
      description:
        'Cotizaciones de un negocio: crearlas, enviarlas en PDF por correo y seguirlas hasta su respuesta. ' +
        'Las rutas de /api existen también bajo /api/v1, solo para claves de API; las públicas, no. Los miembros ' +
        'desconocidos de una solicitud se ignoran y se nombran en `X-Ignored-Members`; con `Prefer: handling=strict` la ' +
        'hacen inválida, como siempre `__proto__` y el carácter U+0000 en un texto.',
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
      },
      headers: {
        RequestId: { description: 'El identificador de la solicitud', schema: { type: 'string' } },
        IgnoredMembers: {
          description:
            'Los miembros y parámetros desconocidos que se ignoraron, separados por comas y con escapes de URL; a lo más 1 KiB.',
          schema: { type: 'string', maxLength: 1024 },
        },
      },
      securitySchemes: {
        session: { type: 'apiKey', in: 'cookie', name: cookie, description: 'Sesión iniciada' },
        apiKey: { type: 'http', scheme: 'bearer', description: 'svc_ y 40 dígitos hexadecimales' },
      },
    },
  };
}
