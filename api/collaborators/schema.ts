import { type Static, Type } from 'typebox';
import { ROLES } from '../../domain/permissions.ts';
import { named, namedInput, accountEmail, id, line, nullable, oneOf, timestamp } from '../schema.ts';

export const InviteCollaborator = namedInput('CollaboratorInput', {
  email: accountEmail(),
  name: line(100, { examples: ['Carlos Ruiz'] }),
});
export type InviteCollaborator = Static<typeof InviteCollaborator>;

export const UpdateCollaborator = namedInput('CollaboratorUpdate', {
  name: Type.Optional(line(100, { examples: ['Carlos Ruiz'] })),
  isActive: Type.Optional(Type.Boolean()),
  role: Type.Optional(oneOf('Role', ROLES)),
});
export type UpdateCollaborator = Static<typeof UpdateCollaborator>;

export const TransferQuotes = namedInput('QuoteTransferInput', {
  toUserId: Type.String({
    maxLength: 64,
    description: 'quien recibe las cotizaciones; debe estar activo',
    examples: ['c5tz6q8v0k3m9w2x7y4n1b0d'],
  }),
});

export const CollaboratorBody = named('Collaborator', {
  id: id(),
  name: Type.String({ examples: ['Carlos Ruiz'] }),
  email: Type.String({ examples: ['carlos@example.com'] }),
  role: oneOf('Role', ROLES),
  isActive: Type.Boolean(),
  invitedAt: nullable(timestamp()),
  acceptedAt: nullable(timestamp()),
  lastLoginAt: nullable(timestamp()),
});
