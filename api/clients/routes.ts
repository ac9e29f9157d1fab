import { clientNotFound } from '../../domain/errors.ts';
import { warningsOf } from '../../domain/warnings.ts';
import { pageBody, startOf } from '../cursor.ts';
import { tagged, withTag } from '../entity-tag.ts';
import { type Route, route } from '../route.ts';
import { cursorPageOf, Done, done, IdParams } from '../schema.ts';
import { withWarnings } from '../warnings.ts';
import { clientBody, clientTag } from './present.ts';
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
    etag: 'returned',
    body: CreateClient,
    responses: { 201: { description: 'El cliente', schema: ChangedClient } },
    handle: ({ caller, body, transact }) =>
      transact(async (trx) => ({ status: 201, ...(await createClient(trx, caller, body)) })),
  }),
  route({
    method: 'GET',
    path: '/api/clients/:id',
    operationId: 'getClient',
    tag: 'Clients',
    summary: 'Lee un cliente',
    description: 'También uno desactivado.',
    access: 'clients:read',
    etag: 'returned',
    params: IdParams,
    responses: { 200: { description: 'El cliente', schema: ClientBody } },
    refusals: [clientNotFound()],
    handle: ({ caller, params, inTenant }) =>
      inTenant(async (trx) => {
        const client = await findClient(trx, caller.tenantId, params.id);
        return tagged(clientBody(client, caller), clientTag(client, caller));
      }).then(withTag),
  }),
  route({
    method: 'PATCH',
    path: '/api/clients/:id',
    operationId: 'updateClient',
    tag: 'Clients',
    summary: 'Cambia un cliente',
    description:
      'Lo que no se envía se conserva; nulo o "" lo vacía. Las lecturas de cotizaciones muestran los datos actuales del cliente. ' +
      'El PDF y la página de una cotización enviada conservan el nombre con que se envió primero, hasta que se revisa.',
    access: 'clients:update',
    etag: 'checked',
    params: IdParams,
    body: UpdateClient,
    responses: { 200: { description: 'El cliente', schema: ChangedClient } },
    refusals: [clientNotFound()],
    handle: ({ caller, params, body, ifMatch, inTenant }) =>
      inTenant(async (trx) => {
        const client = await updateClient(trx, caller, params.id, { body, ifMatch });
        const response = clientBody(client, caller);
        return tagged(withWarnings(response, warningsOf(body, response.country)), clientTag(client, caller));
      }).then(withTag),
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
    etag: 'checked',
    params: IdParams,
    responses: { 200: { description: 'Desactivado', schema: Done } },
    refusals: [clientNotFound()],
    handle: ({ caller, params, ifMatch, inTenant }) =>
      inTenant((trx) => deactivateClient(trx, caller, params.id, ifMatch).then(done)),
  }),
];
