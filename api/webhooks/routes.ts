import { NOT_PUBLIC } from '../../adapters/outbound-http/addresses.ts';
import { Type } from 'typebox';
import { limitReached, urlNotCallable, webhookNotFound } from '../../domain/errors.ts';
import type { Deps } from '../deps.ts';
import { type Route, route } from '../route.ts';
import { Done, done, IdParams } from '../schema.ts';
import { deliveryRoutes } from './delivery-routes.ts';
import { createdWebhook, subscribableEvents, webhookBody, webhookSummary } from './present.ts';
import { findWebhook, listWebhooks } from './queries.ts';
import {
  CreatedWebhook,
  CreateWebhook,
  EventDescription,
  RotatedSecret,
  UpdateWebhook,
  WebhookBody,
  WebhookSummary,
} from './schema.ts';
import { assertCallable } from './target.ts';
import { createWebhook, deleteWebhook, rotateSecret, updateWebhook } from './write.ts';

const common = { tag: 'Webhooks', access: 'config:manage', feature: 'webhooks' } as const;

export const webhookRoutes = (deps: Deps): readonly Route[] => [
  route({
    ...common,
    method: 'GET',
    path: '/api/webhooks',
    operationId: 'listWebhooks',
    summary: 'Lista los webhooks',
    responses: { 200: { description: 'Del más nuevo al más antiguo', schema: Type.Array(WebhookSummary) } },
    handle: ({ caller: { tenantId }, inTenant }) =>
      inTenant(async (trx) => (await listWebhooks(trx, tenantId)).map(webhookSummary)),
  }),
  route({
    ...common,
    method: 'POST',
    path: '/api/webhooks',
    operationId: 'createWebhook',
    needsVerifiedEmail: true,
    summary: 'Crea un webhook',
    description:
      'Cada envío lleva `X-Service-Event` y `X-Service-Signature`: HMAC-SHA256 en hexadecimal de los bytes exactos del ' +
      'cuerpo, con el secreto entero como clave. Lleva también los encabezados de Standard Webhooks.',
    idempotency: 'transaction',
    body: CreateWebhook,
    responses: { 201: { description: 'El webhook, con su secreto entero', schema: CreatedWebhook } },
    refusals: [urlNotCallable([{ path: 'url', message: NOT_PUBLIC }]), limitReached('webhooks')],
    handle: async ({ caller, body, signal, transact }) => {
      await assertCallable(deps, { path: 'url', url: body.url }, { key: caller.tenantId, signal });
      return transact(async (trx) => {
        const { webhook, secret } = await createWebhook(deps, trx, caller, body);
        return { status: 201, body: createdWebhook(webhook, secret) };
      });
    },
  }),
  route({
    ...common,
    method: 'GET',
    path: '/api/webhooks/events',
    operationId: 'listWebhookEvents',
    summary: 'Los eventos a los que un webhook se puede suscribir',
    description: 'Los esquemas de sus cuerpos están en `webhooks` del documento OpenAPI.',
    responses: { 200: { description: 'Cada evento con un ejemplo', schema: Type.Array(EventDescription) } },
    handle: () => Promise.resolve({ status: 200, body: subscribableEvents(deps.now()) }),
  }),
  route({
    ...common,
    method: 'GET',
    path: '/api/webhooks/:id',
    operationId: 'getWebhook',
    summary: 'Un webhook',
    params: IdParams,
    responses: { 200: { description: 'El webhook', schema: WebhookBody } },
    refusals: [webhookNotFound()],
    handle: ({ caller: { tenantId }, params, inTenant }) =>
      inTenant(async (trx) => webhookBody(await findWebhook(trx, tenantId, params.id))),
  }),
  route({
    ...common,
    method: 'PUT',
    path: '/api/webhooks/:id',
    operationId: 'updateWebhook',
    summary: 'Cambia un webhook',
    description: 'Lo que no se da, queda como está.',
    params: IdParams,
    body: UpdateWebhook,
    responses: { 200: { description: 'El webhook', schema: WebhookBody } },
    refusals: [urlNotCallable([{ path: 'url', message: NOT_PUBLIC }]), webhookNotFound()],
    handle: async ({ caller, params, body, signal, inTenant }) => {
      const { url } = body;
      if (url !== undefined) await assertCallable(deps, { path: 'url', url }, { key: caller.tenantId, signal });
      return inTenant(async (trx) => webhookBody(await updateWebhook(trx, caller, params.id, body)));
    },
  }),
  route({
    ...common,
    method: 'DELETE',
    path: '/api/webhooks/:id',
    operationId: 'deleteWebhook',
    summary: 'Borra un webhook y su historial',
    params: IdParams,
    responses: { 200: { description: 'Borrado', schema: Done } },
    refusals: [webhookNotFound()],
    handle: ({ caller, params, inTenant }) => inTenant((trx) => deleteWebhook(trx, caller, params.id).then(done)),
  }),
  route({
    ...common,
    method: 'POST',
    path: '/api/webhooks/:id/rotate-secret',
    operationId: 'rotateWebhookSecret',
    summary: 'Cambia el secreto de un webhook',
    description:
      'Durante 24 horas `webhook-signature` lleva una firma con cada secreto; `X-Service-Signature` usa ya el nuevo.',
    idempotency: 'transaction',
    params: IdParams,
    responses: { 200: { description: 'El secreto nuevo, entero', schema: RotatedSecret } },
    refusals: [webhookNotFound()],
    handle: ({ caller, params, transact }) =>
      transact(async (trx) => ({ status: 200, body: await rotateSecret(deps, trx, caller, params.id) })),
  }),
  ...deliveryRoutes(deps),
];
