import { type Static, Type } from 'typebox';
import { MAX_CONTACTS } from '../../domain/contacts.ts';
import { LOCALES } from '../../domain/locale.ts';
import {
  named,
  namedInput,
  dropsUnknown,
  country,
  cursor,
  id,
  limit,
  line,
  nullable,
  oneOf,
  optionalEmail,
  optionalLine,
  optionalText,
  page,
  search,
  timestamp,
  updatedSince,
  warnings,
} from '../schema.ts';

const Contact = namedInput('ClientContactInput', {
  name: line(200, { examples: ['Luis Rivas'] }),
  email: optionalEmail(),
  phone: optionalLine(40, { examples: ['+52 55 8765 4321'] }),
  role: optionalLine(100, { examples: ['Compras'] }),
});

const contactName = () => line(200, { examples: ['Ana Torres'] });
const optionalFields = {
  companyName: optionalLine(200, { examples: ['Ferretería La Palma'] }),
  email: optionalEmail(),
  phone: optionalLine(40, { examples: ['+52 55 1234 5678'] }),
  taxId: optionalLine(20, {
    description: 'clave fiscal; en México, el RFC. Una que parece equivocada se guarda y se avisa en warnings',
    examples: ['XAXX010101000'],
  }),
  address: optionalText(500, { examples: ['Av. Juárez 12, Centro, Puebla'] }),
  country: Type.Optional(nullable(country('ISO 3166-1 alfa-2; nulo o ausente: el del negocio'))),
  locale: Type.Optional(
    nullable(
      oneOf('Locale', LOCALES, {
        description: 'idioma de lo que lee; nulo o ausente: el del negocio',
        examples: ['en-US'],
      }),
    ),
  ),
  notes: optionalText(2000, { examples: ['Paga a 30 días'] }),
  contacts: Type.Optional(
    nullable(
      Type.Array(Contact, {
        maxItems: MAX_CONTACTS,
        description: 'más personas del cliente, a quienes se le puede compartir; se reemplazan todas',
      }),
    ),
  ),
};

export const CreateClient = namedInput('ClientInput', { contactName: contactName(), ...optionalFields });
export type CreateClient = Static<typeof CreateClient>;

/** Absent members are unchanged; null or "" clears a member. */
export const UpdateClient = namedInput('ClientUpdate', {
  contactName: Type.Optional(contactName()),
  ...optionalFields,
  isActive: Type.Optional(Type.Boolean({ description: 'true lo reactiva después de DELETE' })),
});
export type UpdateClient = Static<typeof UpdateClient>;

export const ListClients = dropsUnknown({
  search: search({ description: 'nombre, empresa o correo' }),
  active: Type.Optional(Type.Boolean({ description: 'true: los activos; false: los desactivados. Sin él, todos.' })),
  updatedSince: updatedSince(),
  cursor: cursor(),
  page: page(),
  limit: limit(),
});
export type ListClients = Static<typeof ListClients>;

const text = () => nullable(Type.String());

export const ClientBody = named('Client', {
  id: id(),
  contactName: Type.String(),
  companyName: text(),
  email: text(),
  phone: text(),
  taxId: text(),
  address: text(),
  country: Type.String({ description: 'el del cliente, o el del negocio', examples: ['MX'] }),
  locale: nullable(oneOf('Locale', LOCALES, { description: 'nulo: el del negocio', examples: ['en-US'] })),
  notes: text(),
  contacts: Type.Array(named('ClientContact', { name: Type.String(), email: text(), phone: text(), role: text() })),
  isActive: Type.Boolean(),
  createdAt: timestamp(),
  updatedAt: timestamp(),
});

/** The response to a change. */
export const ChangedClient = named('SavedClient', { ...ClientBody.properties, warnings: warnings() });
