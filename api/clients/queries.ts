import { Client } from '../../db/models/client.ts';
import { isAnyClientContaining } from '../../db/reads/search.ts';
import { newestFirst } from '../../db/reads/newest-first.ts';
import type { TenantTransaction } from '../../db/with-tenant.ts';
import { clientNotFound } from '../../domain/errors.ts';
import type { ListClients } from './schema.ts';

/** One page of the tenant's clients, newest first. */
export async function listClients(trx: TenantTransaction, tenantId: string, query: ListClients) {
  const { search, active, page, limit } = query;
  const { results, total } = await Client.query(trx)
    .where('clients.tenantId', tenantId)
    .modify((builder) => {
      if (active !== undefined) void builder.where('clients.isActive', active);
      if (search) void builder.whereRaw(...isAnyClientContaining('clients.id', search));
    })
    .orderBy(newestFirst('clients'))
    .page(page - 1, limit);
  return { clients: results, total };
}

/** Finds a client of the business, active or not; throws a 404. */
export async function findClient(trx: TenantTransaction, tenantId: string, clientId: string): Promise<Client> {
  const client = await Client.query(trx).findOne({ tenantId, id: clientId });
  if (!client) throw clientNotFound();
  return client;
}
