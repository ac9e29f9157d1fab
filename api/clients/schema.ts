import { type Static, Type } from 'typebox';
import { closed, email, id, limit, line, nullable, optionalLine, page, timestamp } from '../schema.ts';

export const CreateClient = closed({
  contactName: line(200, { examples: ['Ana Torres'] }),
  companyName: optionalLine(200, { examples: ['Ferretería La Palma'] }),
  email: Type.Optional(nullable(email())),
  phone: optionalLine(40),
  taxId: optionalLine(20, { description: 'RFC', examples: ['XAXX010101000'] }),
  address: optionalLine(500),
  notes: Type.Optional(Type.Unsafe<string | null>({ type: ['string', 'null'], maxLength: 2000 })),
});
export type CreateClient = Static<typeof CreateClient>;

export const ListClients = closed({
  search: Type.Optional(Type.String({ maxLength: 200, description: 'nombre, empresa o correo' })),
  active: Type.Optional(Type.Boolean()),
  page: page(),
  limit: limit(),
});
export type ListClients = Static<typeof ListClients>;

const text = () => nullable(Type.String());

export const ClientBody = Type.Object({
  id: id(),
  contactName: Type.String(),
  companyName: text(),
  email: text(),
  phone: text(),
  taxId: text(),
  address: text(),
  notes: text(),
  isActive: Type.Boolean(),
  createdAt: timestamp(),
  updatedAt: timestamp(),
});
