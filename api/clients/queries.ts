import { Client } from '../../db/models/client.ts';
import { anyContains } from '../../db/reads/search.ts';
import type { TenantTransaction } from '../../db/with-tenant.ts';
import type { ListClients } from './schema.ts';

const SEARCHED = ['clients.contactName', 'clients.companyName', 'clients.email'] as const;

/** One page of the tenant's clients, newest first. */
export async function listClients(trx: TenantTransaction, tenantId: string, query: ListClients) {
  const { search, active, page, limit } = query;
  const { results, total } = await Client.query(trx)
    .where('clients.tenantId', tenantId)
    .modify((builder) => {
      if (active !== undefined) void builder.where('clients.isActive', active);
      if (search) void builder.whereRaw(...anyContains(SEARCHED, search));
    })
    .orderBy([
      { column: 'clients.createdAt', order: 'desc' },
      { column: 'clients.id', order: 'desc' },
    ])
    .page(page - 1, limit);
  return { clients: results, total };
}
