import { NEWEST } from '../../db/reads/keyset.ts';
import {
  deliveryEmptied,
  deliveryNotFound,
  unreachable,
  webhookInactive,
  webhookNotFound,
} from '../../domain/errors.ts';
import { pageBody, startOf } from '../cursor.ts';
import type { Deps } from '../deps.ts';
import { type Route, route } from '../route.ts';
import { IdParams } from '../schema.ts';
import { deliveryBody, deliveryWithAttempts } from './present.ts';
import { findDelivery, findWebhook, listDeliveries } from './queries.ts';
import { replayDelivery } from './replay.ts';
import {
  DeliveryBody,
  DeliveryPage,
  DeliveryParams,
  DeliveryWithAttempts,
  ListDeliveries,
  TestResult,
} from './schema.ts';
import { testWebhook } from './send-test.ts';

const common = { tag: 'Webhooks', access: 'config:manage', feature: 'webhooks' } as const;

/** Routes for deliveries of a webhook: list, details, test and replay. */
export const deliveryRoutes = (deps: Deps): readonly Route[] => [
  route({
    ...common,
    method: 'POST',
    path: '/api/webhooks/:id/test',
    operationId: 'testWebhook',
    needsVerifiedEmail: true,
    summary: 'Envía una prueba a un webhook',
    description: 'Espera la respuesta, a lo más 5 segundos. Una respuesta de error es también 200, con success false.',
    rate: 'webhook_test',
    idempotency: 'external',
    params: IdParams,
    responses: { 200: { description: 'Lo que contestó', schema: TestResult } },
    refusals: [webhookNotFound(), unreachable()],
    handle: async ({ caller, params, signal }) => ({
      status: 200,
      body: await testWebhook(deps, caller, { webhookId: params.id, signal }),
    }),
  }),
  route({
    ...common,
    method: 'GET',
    path: '/api/webhooks/:id/deliveries',
    operationId: 'listWebhookDeliveries',
    summary: 'Lista los envíos de un webhook',
    params: IdParams,
    query: ListDeliveries,
    responses: { 200: { description: 'Una página, del más nuevo al más antiguo', schema: DeliveryPage } },
    refusals: [webhookNotFound()],
    handle: ({ caller: { tenantId }, params, query, inTenant }) =>
      inTenant(async (trx) => {
        const webhook = await findWebhook(trx, tenantId, params.id);
        const scope = { list: `deliveries of ${webhook.id}`, tenantId, query };
        const found = await listDeliveries(trx, webhook, { ...query, after: startOf(scope, NEWEST) });
        return pageBody(scope, found.rows.map(deliveryBody), found);
      }),
  }),
  route({
    ...common,
    method: 'GET',
    path: '/api/webhooks/:id/deliveries/:deliveryId',
    operationId: 'getWebhookDelivery',
    summary: 'Muestra un envío con todos sus intentos',
    description:
      'Cada intento con su hora, su duración y lo que contestó el endpoint, también los que fallaron antes de que otro ' +
      'entregara. Las respuestas se vacían con el tiempo; el resto queda mientras se conserve el envío.',
    params: DeliveryParams,
    responses: { 200: { description: 'El envío y sus intentos, del primero al último', schema: DeliveryWithAttempts } },
    refusals: [webhookNotFound(), deliveryNotFound()],
    handle: ({ caller: { tenantId }, params: { id, deliveryId }, inTenant }) =>
      inTenant(async (trx) => {
        const webhook = await findWebhook(trx, tenantId, id);
        const { delivery, attempts } = await findDelivery(trx, webhook, deliveryId);
        return deliveryWithAttempts(delivery, attempts);
      }),
  }),
  route({
    ...common,
    method: 'POST',
    path: '/api/webhooks/:id/deliveries/:deliveryId/replay',
    operationId: 'replayWebhookDelivery',
    summary: 'Repite un envío',
    description:
      'Un envío nuevo del mismo evento, con los mismos bytes y el mismo `webhook-id`. Mientras se conserve lo enviado. ' +
      'Su primer intento no espera aunque el endpoint venga fallando; los siguientes esperan como los de otro envío.',
    idempotency: 'transaction',
    params: DeliveryParams,
    responses: { 202: { description: 'El envío nuevo, aún pendiente', schema: DeliveryBody } },
    refusals: [webhookNotFound(), deliveryNotFound(), webhookInactive(), deliveryEmptied()],
    handle: ({ caller, params: { id, deliveryId }, transact }) =>
      transact(async (trx) => ({
        status: 202,
        body: deliveryBody(await replayDelivery(trx, caller, { webhookId: id, deliveryId })),
      })),
  }),
];
