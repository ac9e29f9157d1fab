import { type Static, Type } from 'typebox';
import { MAX_MESSAGE_LENGTH, MESSAGE_DIRECTIONS } from '../../domain/messages.ts';
import {
  named,
  namedInput,
  dropsUnknown,
  id,
  limit,
  nullable,
  oneOf,
  page,
  pageOf,
  text,
  timestamp,
} from '../schema.ts';

export const ListMessages = dropsUnknown({ page: page(), limit: limit() });
export type ListMessages = Static<typeof ListMessages>;

export const WriteMessage = namedInput('MessageInput', {
  body: text(MAX_MESSAGE_LENGTH, {
    description: 'texto simple',
    examples: ['Con gusto: el martes le enviamos la nueva versión.'],
  }),
});
export type WriteMessage = Static<typeof WriteMessage>;

export const MessageBody = named('Message', {
  id: id(),
  direction: oneOf('MessageDirection', MESSAGE_DIRECTIONS, {
    description: 'inbound: del cliente; outbound: al cliente',
  }),
  author: named(
    'MessageAuthor',
    {
      name: nullable(Type.String({ examples: ['Laura Méndez'] })),
      email: nullable(Type.String({ examples: ['laura@example.com'] })),
    },
    {
      description:
        'el miembro que escribió; en un mensaje del cliente, lo que se escribió en la página, sin comprobar: ningún correo ' +
        'se envía a esa dirección',
    },
  ),
  body: Type.String({ examples: ['¿Puede incluir la instalación?'] }),
  version: Type.Integer({ minimum: 1, description: 'la de la cotización cuando se escribió' }),
  createdAt: timestamp(),
  mailStatus: nullable(
    oneOf('MailStatus', ['PENDING', 'SENT', 'FAILED'] as const, {
      description: 'del correo con el mensaje: al cliente, o a quien hizo la cotización; nulo si no lleva correo',
    }),
  ),
});

export const MessagePage = pageOf('MessagePage', MessageBody);
