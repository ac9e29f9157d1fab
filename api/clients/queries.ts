import { Client } from '../../db/models/client.ts';
import { isAnyClientContaining } from '../../db/reads/search.ts';
import { type ListOrder, NEWEST, type PageQuery, readPage } from '../../db/reads/keyset.ts';
import type { TenantTransaction } from '../../db/with-tenant.ts';
import type { Caller } from '../../domain/caller.ts';
import { clientNotFound } from '../../domain/errors.ts';
import { isIn, readableChanges } from '../updated-since.ts';
import type { ListClients } from './schema.ts';

/** The order of a list with `updatedSince`. */
const CHANGES: ListOrder = {
  columns: [
    { name: 'updatedAt', kind: 'time' },
    { name: 'id', kind: 'id' },
  ],
  direction: 'asc',
};

export const clientOrder = ({ updatedSince }: ListClients): ListOrder =>
  updatedSince === undefined ? NEWEST : CHANGES;

/** One page of the tenant's clients: newest first, or those that changed since a moment in the order of their changes. */
export async function listClients(
  trx: TenantTransaction,
  { tenantId, timeZone }: Pick<Caller, 'tenantId' | 'timeZone'>,
  query: ListClients & Pick<PageQuery, 'after'>,
) {
  const { search, active, updatedSince } = query;
  const changes = updatedSince === undefined ? undefined : await readableChanges(trx, updatedSince, timeZone);
  const matching = Client.query(trx)
    .where('clients.tenantId', tenantId)
    .modify((builder) => {
      if (active !== undefined) void builder.where('clients.isActive', active);
      if (search) void builder.whereRaw(...isAnyClientContaining('clients.id', search));
      if (changes) void builder.whereRaw(...isIn(changes, 'clients.updatedAt'));
    });
  return readPage(matching, clientOrder(query), query, { isCounted: !changes });
}

/** Finds a client of the business, active or not; throws a 404. */
export async function findClient(trx: TenantTransaction, tenantId: string, clientId: string): Promise<Client> {
  const client = await Client.query(trx).findOne({ tenantId, id: clientId });
  if (!client) throw clientNotFound();
  return client;
}
