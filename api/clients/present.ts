import type { Client } from '../../db/models/client.ts';
import { contactsOf } from '../../domain/contacts.ts';
import type { ResponseBody } from '../schema.ts';
import type { ClientBody } from './schema.ts';
import { entityTag } from '../entity-tag.ts';

/** `country`: the country of the business, for clients without one. */
export const clientBody = (
  client: Client,
  { country }: { readonly country: string },
): ResponseBody<typeof ClientBody> => ({
  id: client.id,
  contactName: client.contactName,
  companyName: client.companyName,
  email: client.email,
  phone: client.phone,
  taxId: client.taxId,
  address: client.address,
  country: client.country ?? country,
  locale: client.locale,
  notes: client.notes,
  contacts: contactsOf(client),
  isActive: client.isActive,
  createdAt: client.createdAt.toISOString(),
  updatedAt: client.updatedAt.toISOString(),
});

/** The entity tag of a client. A client without a country shows that of the business. */
export const clientTag = (client: Client, { country }: { readonly country: string }): string =>
  entityTag(client.revision, [client.country ?? country]);
