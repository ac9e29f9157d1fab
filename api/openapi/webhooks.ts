import type { TSchema } from 'typebox';
import { EVENTS } from '../../domain/event-types.ts';
import { EVENT_BODIES, TestEventBody } from '../webhooks/event-schemas.ts';
import type { Components } from './components.ts';
import { recordedExamples } from './examples.ts';
import { printable } from './printable.ts';

/** The `webhooks` section of the OpenAPI document: the call that each event makes to its subscribers. */
export const webhooksSection = (components: Components): object => ({
  ...Object.fromEntries(
    EVENT_BODIES.map(({ event, schema }) => {
      const { description } = EVENTS[event];
      return [event, { post: callOf({ event, schema, description }, components) }];
    }),
  ),
  'webhook.test': {
    post: callOf(
      {
        event: 'webhook.test',
        schema: TestEventBody,
        description: 'La prueba de un webhook (`testWebhook`). No se puede suscribir.',
      },
      components,
    ),
  },
});

interface Call {
  readonly event: string;
  readonly schema: TSchema;
  readonly description: string;
}

const callOf = ({ event, schema, description }: Call, components: Components): object => ({
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
        example: recordedExamples().events[event],
      },
    },
  },
  responses: { 200: { description: 'Recibido: cualquier 2xx en menos de 10 segundos' } },
});
