import { clientNotFound } from '../../domain/errors.ts';
import { warningsOf } from '../../domain/warnings.ts';
import { pageBody, startOf } from '../cursor.ts';
import { type Route, route } from '../route.ts';
import { cursorPageOf, Done, done, IdParams } from '../schema.ts';
import { withWarnings } from '../warnings.ts';
import { clientBody } from './present.ts';
import { clientOrder, findClient, listClients } from './queries.ts';
import { ChangedClient, ClientBody, CreateClient, ListClients, UpdateClient } from './schema.ts';
import { createClient, deactivateClient, updateClient } from './write.ts';

export const clientRoutes: readonly Route[] = [
  route({
    method: 'GET',
    path: '/api/clients',
    operationId: 'listClients',
    tag: 'Clients',
    summary: 'Lista los clientes',
    access: 'clients:read',
    query: ListClients,
    responses: {
      200: { description: 'Una página, del más nuevo al más antiguo', schema: cursorPageOf('ClientPage', ClientBody) },
    },
    handle: ({ caller, query, inTenant }) =>
      inTenant(async (trx) => {
        const scope = { list: 'clients', tenantId: caller.tenantId, query };
        const after = startOf(scope, clientOrder(query));
        const found = await listClients(trx, caller, { ...query, after });
        const bodies = found.rows.map((client) => clientBody(client, caller));
        return pageBody(scope, bodies, found);
      }),
  }),
  route({
    method: 'POST',
    path: '/api/clients',
    operationId: 'createClient',
    tag: 'Clients',
    summary: 'Crea un cliente',
    access: 'clients:create',
    idempotency: 'transaction',
    body: CreateClient,
    responses: { 201: { description: 'El cliente', schema: ChangedClient } },
    handle: ({ caller, body, transact }) =>
      transact(async (trx) => ({ status: 201, body: await createClient(trx, caller, body) })),
  }),
  route({
    method: 'GET',
    path: '/api/clients/:id',
    operationId: 'getClient',
    tag: 'Clients',
    summary: 'Lee un cliente',
    description: 'También uno desactivado.',
    access: 'clients:read',
    params: IdParams,
    responses: { 200: { description: 'El cliente', schema: ClientBody } },
    refusals: [clientNotFound()],
    handle: ({ caller, params, inTenant }) =>
      inTenant(async (trx) => clientBody(await findClient(trx, caller.tenantId, params.id), caller)),
  }),
  route({
    method: 'PATCH',
    path: '/api/clients/:id',
    operationId: 'updateClient',
    tag: 'Clients',
    summary: 'Cambia un cliente',
    description:
      'Lo que no se envía se conserva; nulo o "" lo vacía. Las cotizaciones conservan el nombre con que se hicieron.',
    access: 'clients:update',
    params: IdParams,
    body: UpdateClient,
    responses: { 200: { description: 'El cliente', schema: ChangedClient } },
    refusals: [clientNotFound()],
    handle: ({ caller, params, body, inTenant }) =>
      inTenant(async (trx) => {
        const response = clientBody(await updateClient(trx, caller, params.id, body), caller);
        return withWarnings(response, warningsOf(body, response.country));
      }),
  }),
  route({
    method: 'DELETE',
    path: '/api/clients/:id',
    operationId: 'deleteClient',
    tag: 'Clients',
    summary: 'Desactiva un cliente',
    description:
      'Deja de poder recibir cotizaciones nuevas; las que tiene siguen vigentes. PATCH con `isActive` lo reactiva.',
    access: 'clients:delete',
    params: IdParams,
    responses: { 200: { description: 'Desactivado', schema: Done } },
    refusals: [clientNotFound()],
    handle: ({ caller, params, inTenant }) => inTenant((trx) => deactivateClient(trx, caller, params.id).then(done)),
  }),
];
