import { sessionCookieName } from '../../adapters/crypto/session-cookie.ts';
import { CURRENCIES } from '../../domain/money.ts';
import type { Route } from '../route.ts';
import { ErrorBody } from '../schema.ts';
import { operation } from './operation.ts';
import { QuoteOfEvent } from '../webhooks/event-schemas.ts';
import { printable } from './printable.ts';
import { webhooksSection } from './webhooks.ts';

/** `*`, or entity tags separated by commas. */
const ENTITY_TAGS = '^(\\*|(W/)?"[!#-~]*"( *, *(W/)?"[!#-~]*")*)$';
const ENTITY_TAG = '"7-3q2v9XwZ1kLm0pRt"';

/** Descriptions of the tags, in the order of the reference. */
const TAGS: Readonly<Record<string, string>> = {
  Acceso: 'Registro, inicio y cierre de sesión, y los enlaces de un solo uso que van por correo.',
  Clientes: 'A quién se cotiza. Borrar un cliente lo desactiva; sus cotizaciones quedan.',
  Productos: 'El catálogo. Una partida copia el precio, así que cambiarlo no cambia lo cotizado.',
  Importaciones: 'Clientes y productos de un archivo CSV o XLSX, todos o ninguno.',
  Cotizaciones: 'El ciclo de vida: crear, enviar, revisar, duplicar y cerrar.',
  Etiquetas: 'Marcas de color para ordenar cotizaciones.',
  Plantillas: 'Partidas y condiciones que se repiten.',
  Embudo: 'Todas las cotizaciones por estado, para un tablero.',
  Tablero: 'Cifras del negocio en un periodo.',
  Automatizaciones: 'Qué hacer cuando algo le pasa a una cotización.',
  Webhooks: 'Avisos firmados a otros sistemas.',
  Notificaciones: 'Avisos dentro del servicio.',
  Recordatorios: 'Lo que quedó pendiente con fecha.',
  Negocio: 'Datos, impuestos, marca y logotipo del negocio.',
  Colaboradores: 'Quién trabaja en el negocio.',
  'Claves de API': 'Credenciales para integraciones; actúan con los permisos de quien las creó.',
  Conector: 'Rutas para plataformas de automatización.',
  Bitácora: 'Quién hizo qué y cuándo.',
  'Portal del cliente': 'La cotización como la ve su cliente, con el enlace por única credencial.',
};

function descriptionOf(tag: string): string {
  const description = TAGS[tag];
  if (description === undefined) throw new Error(`the tag ${tag} has no description`);
  return description;
}

/** The OpenAPI 3.1 document, generated from the route declarations and the schemas that validate requests. */
export function openApiDocument(routes: readonly Route[], publicUrl: string): object {
  const cookie = sessionCookieName(publicUrl.startsWith('https:'));
  const paths: Record<string, Record<string, object>> = {};
  for (const route of routes) {
    const path = route.path.replace(/:(\w+)/g, '{$1}');
    paths[path] = { ...paths[path], [route.method.toLowerCase()]: operation(route, routes) };
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
    tags: [...new Set(routes.map(({ tag }) => tag))].map((name) => ({ name, description: descriptionOf(name) })),
    paths,
    webhooks: webhooksSection(),
    components: {
      schemas: {
        Error: printable(ErrorBody, 'response'),
        QuoteOfEvent: printable(QuoteOfEvent, 'response'),
        Currency: { type: 'string', enum: CURRENCIES, description: 'ISO 4217' },
      },
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
        session: { type: 'apiKey', in: 'cookie', name: cookie, description: 'Sesión iniciada' },
        apiKey: { type: 'http', scheme: 'bearer', description: 'svc_ y 40 dígitos hexadecimales' },
      },
    },
  };
}
