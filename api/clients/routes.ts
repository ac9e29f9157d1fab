import type { Deps } from '../deps.ts';
import { type Route, route } from '../route.ts';
import { paged, pageOf } from '../schema.ts';
import { createClient } from './create.ts';
import { clientBody } from './present.ts';
import { listClients } from './queries.ts';
import { ClientBody, CreateClient, ListClients } from './schema.ts';

export const clientRoutes = (deps: Deps): readonly Route[] => [
  route({
    method: 'GET',
    path: '/api/clients',
    tag: 'Clientes',
    summary: 'Lista los clientes',
    access: 'clients:read',
    rate: 'default',
    query: ListClients,
    responses: { 200: { description: 'Una página, del más nuevo al más antiguo', schema: pageOf(ClientBody) } },
    handle: ({ caller: { tenantId }, query }) =>
      deps.withTenant(tenantId, async (trx) => {
        const { clients, total } = await listClients(trx, tenantId, query);
        return { status: 200, body: paged(clients.map(clientBody), { ...query, total }) };
      }),
  }),
  route({
    method: 'POST',
    path: '/api/clients',
    tag: 'Clientes',
    summary: 'Crea un cliente',
    access: 'clients:create',
    rate: 'default',
    idempotency: 'transaction',
    body: CreateClient,
    responses: { 201: { description: 'El cliente', schema: ClientBody } },
    handle: ({ caller, body, transact }) =>
      transact(async (trx) => ({ status: 201, body: await createClient(trx, caller, body) })),
  }),
];
