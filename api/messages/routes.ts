import { pageOfMessages } from '../../db/reads/messages.ts';
import { clientHasNoEmail, quoteNotFound } from '../../domain/errors.ts';
import { mailQuotaReached, messageLimitReached } from '../../domain/request-refusals.ts';
import type { Deps } from '../deps.ts';
import { findVisibleRow } from '../quotes/queries.ts';
import { QuoteParams } from '../quotes/schema.ts';
import { type Route, route } from '../route.ts';
import { paged } from '../schema.ts';
import { messageBody } from './present.ts';
import { ListMessages, MessageBody, MessagePage, WriteMessage } from './schema.ts';
import { writeToClient } from './write.ts';

const tag = 'Quotes';

/** Change requests of a quote's client, and what the business writes to the client. */
export const messageRoutes = (deps: Deps): readonly Route[] => [
  route({
    method: 'GET',
    path: '/api/quotes/:id/messages',
    operationId: 'listQuoteMessages',
    tag,
    summary: 'Los mensajes de una cotización',
    description:
      'Los cambios que pidió el cliente en su página y lo que el negocio le escribió, del más nuevo al más viejo. Las ' +
      'respuestas por correo llegan a quien escribió y no aparecen aquí.',
    access: 'quotes:read',
    params: QuoteParams,
    query: ListMessages,
    responses: { 200: { description: 'Una página de mensajes', schema: MessagePage } },
    refusals: [quoteNotFound()],
    handle: async ({ caller, params, query: { page, limit } }) => {
      const { rows, total } = await deps.withTenant(caller.tenantId, async (trx) => {
        await findVisibleRow(trx, caller, params.id);
        return pageOfMessages(trx, params.id, { page, limit });
      });
      return { status: 200, body: paged(rows.map(messageBody), { total, page, limit }) };
    },
  }),
  route({
    method: 'POST',
    path: '/api/quotes/:id/messages',
    operationId: 'sendQuoteMessage',
    needsVerifiedEmail: true,
    tag,
    summary: 'Escribe al cliente de una cotización',
    description:
      'Le llega por correo, en la misma conversación que el último envío; su respuesta llega a quien escribió. En ' +
      'cualquier estado, también vencida. A lo más 20 por cotización y día del negocio (429), y cuenta para el límite de ' +
      'correos. `mailStatus` de la lista dice si el servidor de correo lo aceptó.',
    access: 'quotes:create',
    idempotency: 'transaction',
    params: QuoteParams,
    body: WriteMessage,
    responses: { 201: { description: 'El mensaje', schema: MessageBody } },
    refusals: [quoteNotFound(), clientHasNoEmail(), messageLimitReached(3600), mailQuotaReached(3600)],
    handle: ({ caller, params, body, transact }) =>
      transact(async (trx) => ({
        status: 201,
        body: messageBody(await writeToClient(deps, trx, caller, { quoteId: params.id, body })),
      })),
  }),
];
