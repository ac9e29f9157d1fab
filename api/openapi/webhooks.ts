import type { TSchema } from 'typebox';
import { EVENTS } from '../../domain/event-types.ts';
import { EVENT_BODIES, TestEventBody } from '../webhooks/event-schemas.ts';
import type { Components } from './components.ts';
import { printable } from './printable.ts';

const SAMPLE_TIME = '2026-12-15T18:30:00.000Z';

/** The `webhooks` section of the OpenAPI document: the call that each event makes to its subscribers. */
export const webhooksSection = (components: Components): object => ({
  ...Object.fromEntries(
    EVENT_BODIES.map(({ event, schema }) => {
      const { description, sample } = EVENTS[event];
      return [event, { post: callOf({ event, schema, description, data: sample }, components) }];
    }),
  ),
  'webhook.test': {
    post: callOf(
      {
        event: 'webhook.test',
        schema: TestEventBody,
        description: 'La prueba de un webhook (`testWebhook`). No se puede suscribir.',
        data: { message: 'Este es un envío de prueba' },
      },
      components,
    ),
  },
});

interface Call {
  readonly event: string;
  readonly schema: TSchema;
  readonly description: string;
  readonly data: object;
}

const callOf = ({ event, schema, description, data }: Call, components: Components): object => ({
  tags: ['Webhooks'],
  summary: event,
  description,
  operationId: `receive${event.replace(/(?:^|[._])(\w)/g, (_match, letter: string) => letter.toUpperCase())}`,
  security: [],
  requestBody: {
    required: true,
    content: {
      'application/json': {
        schema: printable(schema, 'response', components),
        example: { event, timestamp: SAMPLE_TIME, data },
      },
    },
  },
  responses: { 200: { description: 'Recibido: cualquier 2xx en menos de 10 segundos' } },
});
