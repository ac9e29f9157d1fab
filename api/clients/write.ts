import { newId } from '../../db/ids.ts';
import { Client } from '../../db/models/client.ts';
import { Quote } from '../../db/models/quote.ts';
import type { TenantTransaction } from '../../db/with-tenant.ts';
import { recordAudit } from '../../db/writes/record-audit.ts';
import { recordEvent } from '../../db/writes/record-event.ts';
import { type Caller, memberActor } from '../../domain/caller.ts';
import { type Contact, contactsOf } from '../../domain/contacts.ts';
import { type Changes, changesOf } from '../../domain/diff.ts';
import { clientNotFound } from '../../domain/errors.ts';
import type { ClientValues } from '../../domain/imports.ts';
import { warningsOf } from '../../domain/warnings.ts';
import { type IfMatch, tagged } from '../entity-tag.ts';
import { withWarnings } from '../warnings.ts';
import { clientBody, clientTag } from './present.ts';
import type { CreateClient, UpdateClient } from './schema.ts';

/** What is stored of a valid body: an empty text is none. */
export const clientValues = (body: CreateClient): ClientValues => ({
  contactName: body.contactName,
  companyName: body.companyName || null,
  email: body.email || null,
  phone: body.phone || null,
  taxId: body.taxId || null,
  address: body.address || null,
  country: body.country ?? null,
  locale: body.locale ?? null,
  notes: body.notes || null,
});

/** Creates a client with its audit entry and event. */
export async function createClient(trx: TenantTransaction, caller: Caller, body: CreateClient) {
  const { tenantId, requestId } = caller;
  const client = await Client.query(trx).insertAndFetch({
    id: newId(),
    tenantId,
    ...clientValues(body),
    contacts: storedContacts(body.contacts) ?? null,
  });
  const { id, contactName, companyName } = client;
  await recordAudit(trx, memberActor(caller), {
    action: 'create',
    entity: 'client',
    entityId: id,
    metadata: { contactName, companyName, ...(client.contacts !== null && { contacts: contactsOf(client) }) },
  });
  await recordEvent(trx, {
    type: 'client.created',
    data: { client: { id, contactName, companyName, email: client.email, phone: client.phone } },
    requestId,
  });
  const response = clientBody(client, caller);
  return tagged(withWarnings(response, warningsOf(body, response.country)), clientTag(client, caller));
}

/** Changes a client. Quotes that were sent keep the names that they were sent with. */
export async function updateClient(
  trx: TenantTransaction,
  caller: Caller,
  clientId: string,
  { body, ifMatch }: { readonly body: UpdateClient; readonly ifMatch: IfMatch | undefined },
): Promise<Client> {
  const client = await lockClient(trx, caller, clientId);
  ifMatch?.(clientTag(client, caller));
  return change(trx, caller, client, {
    action: 'update',
    patch: {
      contactName: body.contactName,
      companyName: orNull(body.companyName),
      email: orNull(body.email),
      phone: orNull(body.phone),
      taxId: orNull(body.taxId),
      address: orNull(body.address),
      country: body.country,
      locale: body.locale,
      notes: orNull(body.notes),
      contacts: storedContacts(body.contacts),
      isActive: body.isActive,
    },
  });
}

/** Deactivates a client: it gets no new quotes, its existing ones keep working. Repeating it changes nothing. */
export async function deactivateClient(
  trx: TenantTransaction,
  caller: Caller,
  clientId: string,
  ifMatch: IfMatch | undefined,
): Promise<void> {
  const client = await lockClient(trx, caller, clientId);
  ifMatch?.(clientTag(client, caller));
  await change(trx, caller, client, { action: 'delete', patch: { isActive: false } });
}

async function lockClient(trx: TenantTransaction, { tenantId }: Caller, clientId: string): Promise<Client> {
  const client = await Client.query(trx).findOne({ tenantId, id: clientId }).forUpdate();
  if (!client) throw clientNotFound();
  return client;
}

/** Writes the members that differ, with an audit entry. */
async function change(
  trx: TenantTransaction,
  caller: Caller,
  client: Client,
  { action, patch }: { action: 'update' | 'delete'; patch: Parameters<typeof changesOf<ClientFields>>[1] },
): Promise<Client> {
  const { tenantId, id } = client;
  const changes = changesOf<ClientFields>(client, patch);
  if (!changes) return client;
  await Client.query(trx)
    .findOne({ tenantId, id })
    .patch({ ...changes.after, updatedAt: new Date() });
  if ('contactName' in changes.after || 'companyName' in changes.after) await keepFormerNames(trx, client);
  await recordAudit(trx, memberActor(caller), { action, entity: 'client', entityId: id, metadata: forAudit(changes) });
  return Client.query(trx).findOne({ tenantId, id }).throwIfNotFound();
}

/** Keeps the former names, so that a search for them still finds the quotes that were sent under them. */
async function keepFormerNames(trx: TenantTransaction, { tenantId, id }: Client): Promise<void> {
  await Quote.query(trx)
    .where({ tenantId, clientId: id, formerClientNames: null })
    .whereNot('status', 'GENERATED')
    .patch({ formerClientNames: trx.raw("concat_ws(E'\\n', client_contact_name, client_company_name)") });
}

type ClientFields = Pick<
  Client,
  | 'contactName'
  | 'companyName'
  | 'email'
  | 'phone'
  | 'taxId'
  | 'address'
  | 'country'
  | 'locale'
  | 'notes'
  | 'contacts'
  | 'isActive'
>;

/** The column for the contacts of a body; undefined leaves it unchanged. */
function storedContacts(contacts: UpdateClient['contacts']): string | null | undefined {
  if (contacts === undefined) return undefined;
  if (contacts === null || contacts.length === 0) return null;
  return JSON.stringify(
    contacts.map(({ name, email, phone, role }): Contact => ({
      name,
      email: email || null,
      phone: phone || null,
      role: role || null,
    })),
  );
}

/** The changes with contacts as the API shows them. */
function forAudit({ before, after }: Changes<ClientFields>): object {
  if (after.contacts === undefined) return { before, after };
  const shown = (part: Partial<ClientFields>) => ({
    ...part,
    contacts: contactsOf({ contacts: part.contacts ?? null }),
  });
  return { before: shown(before), after: shown(after) };
}

/** null and "" clear a member; an absent one is unchanged. */
const orNull = (value: string | null | undefined): string | null | undefined => (value === '' ? null : value);
