import { type Static, Type } from 'typebox';
import { QUOTE_STATUSES } from '../../domain/quote-status.ts';
import { dropsUnknown, id, limit, named, nullable, oneOf, page, pageOf, timestamp } from '../schema.ts';

const TYPES = [
  'created',
  'revised',
  'shared',
  'status_changed',
  'expiry_changed',
  'label_added',
  'label_removed',
  'attachment_added',
  'attachment_removed',
  'link_rotated',
  'message_sent',
  'changes_requested',
  'updated',
] as const;
export type QuoteChangeType = (typeof TYPES)[number];

export const ListHistory = dropsUnknown({ page: page(), limit: limit() });
export type ListHistory = Static<typeof ListHistory>;

export const QuoteChange = named('QuoteChange', {
  id: id(),
  type: oneOf('QuoteChangeType', TYPES, { description: 'updated: otro cambio' }),
  at: timestamp(),
  by: named('QuoteChangeActor', {
    kind: oneOf('QuoteChangeActorKind', ['user', 'client', 'service'] as const, {
      description: 'client: el cliente, en su página; service: un envío o una automatización',
    }),
    name: nullable(Type.String({ description: 'del miembro', examples: ['Diana Ruiz'] })),
  }),
  from: nullable(oneOf('QuoteStatus', QUOTE_STATUSES)),
  to: nullable(oneOf('QuoteStatus', QUOTE_STATUSES)),
  version: nullable(Type.Integer({ minimum: 1, description: 'la que se hizo, se envió o se respondió' })),
  expiresAt: nullable(timestamp({ description: 'la vigencia nueva' })),
  name: nullable(Type.String({ description: 'de la etiqueta o del archivo', examples: ['Urgente'] })),
});

export const QuoteChangePage = pageOf('QuoteChangePage', QuoteChange);
