import { Type } from 'typebox';
import { EVENTS, type SubscribableEvent, SUBSCRIBABLE_EVENTS } from '../../domain/event-types.ts';
import { oneOf, timestamp } from '../schema.ts';
import { EVENT_DATA } from '../webhooks/event-schemas.ts';
import { printable } from './printable.ts';

const SAMPLE_TIME = '2026-12-15T18:30:00.000Z';

/** The `webhooks` section of the OpenAPI document: the call that each event makes to its subscribers. */
export const webhooksSection = (): object =>
  Object.fromEntries(SUBSCRIBABLE_EVENTS.map((event) => [event, { post: callOf(event) }]));

const callOf = (event: SubscribableEvent): object => ({
  tags: ['Webhooks'],
  summary: event,
  description: EVENTS[event].description,
  operationId: `event_${event.replace('.', '_')}`,
  security: [],
  requestBody: {
    required: true,
    content: {
      'application/json': {
        schema: printable(
          Type.Object({ event: oneOf([event]), timestamp: timestamp(), data: EVENT_DATA[event] }),
          'response',
        ),
        example: { event, timestamp: SAMPLE_TIME, data: EVENTS[event].sample },
      },
    },
  },
  responses: { 200: { description: 'Recibido: cualquier 2xx en menos de 10 segundos' } },
});
