import { type Static, Type } from 'typebox';
import { named, namedInput, id, line, timestamp } from '../schema.ts';

/** A hex colour in any case; stored and returned in lower case. */
const color = (options: object = {}) =>
  Type.String({ pattern: '^#[0-9a-fA-F]{6}$', examples: ['#1d5fd1'], ...options });
const name = () => line(50, { description: 'único en el negocio, sin distinguir mayúsculas', examples: ['Urgente'] });

export const CreateLabel = namedInput('LabelInput', {
  name: name(),
  color: color({ default: '#64748b', description: 'color hexadecimal #rrggbb' }),
});
export type CreateLabel = Static<typeof CreateLabel>;

export const UpdateLabel = namedInput('LabelUpdate', { name: Type.Optional(name()), color: Type.Optional(color()) });
export type UpdateLabel = Static<typeof UpdateLabel>;

export const QuoteLabelParams = Type.Object({
  id: Type.String({ maxLength: 64, description: 'la cotización' }),
  labelId: Type.String({ maxLength: 64 }),
});

export const LabelBody = named('Label', {
  id: id(),
  name: Type.String({ examples: ['Urgente'] }),
  color: Type.String({ examples: ['#1d5fd1'] }),
  createdAt: timestamp(),
});
