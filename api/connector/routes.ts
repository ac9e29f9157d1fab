import { Type } from 'typebox';
import {
  clientNotFound,
  limitReached,
  numberTaken,
  productNotFound,
  templateNotFound,
  urlNotCallable,
  webhookNotFound,
} from '../../domain/errors.ts';
import type { Deps } from '../deps.ts';
import { CreatedQuote } from '../quotes/schema.ts';
import { type Route, route } from '../route.ts';
import { Done, done, IdParams } from '../schema.ts';
import { assertCallable } from '../webhooks/target.ts';
import { createWebhook, deleteWebhook } from '../webhooks/write.ts';
import { createFromTemplate } from './create-from-template.ts';
import { readMe, templateOptions } from './queries.ts';
import { samplesOf } from './samples.ts';
import {
  CreatedHook,
  CreateFromTemplate,
  CreateHook,
  ListTemplates,
  Me,
  Sample,
  SampleParams,
  TemplateOption,
} from './schema.ts';
import { QUOTE_VALUE_REFUSALS } from '../quotes/value-refusals.ts';
import { NOT_PUBLIC } from '../../adapters/outbound-http/addresses.ts';

const common = { tag: 'Connector' } as const;

/** Routes for automation platforms: connection test, dropdowns, samples and REST hooks. */
export const connectorRoutes = (deps: Deps): readonly Route[] => [
  route({
    ...common,
    method: 'GET',
    path: '/api/connector/me',
    operationId: 'getConnectorAccount',
    summary: 'Quién está conectado',
    access: 'authenticated',
    responses: { 200: { description: 'El usuario y su negocio', schema: Me } },
    handle: ({ caller, inTenant }) => inTenant((trx) => readMe(trx, caller)),
  }),
  route({
    ...common,
    method: 'GET',
    path: '/api/connector/actions/list-templates',
    operationId: 'listConnectorTemplates',
    summary: 'Las plantillas activas, para una lista desplegable',
    access: 'authenticated',
    query: ListTemplates,
    responses: { 200: { description: 'De la más nueva a la más antigua', schema: Type.Array(TemplateOption) } },
    handle: ({ caller: { tenantId }, query, inTenant }) => inTenant((trx) => templateOptions(trx, tenantId, query)),
  }),
  route({
    ...common,
    method: 'POST',
    path: '/api/connector/actions/create-from-template',
    operationId: 'createQuoteFromTemplate',
    summary: 'Crea una cotización a partir de una plantilla',
    access: 'quotes:create',
    feature: 'connector',
    idempotency: 'transaction',
    etag: 'returned',
    body: CreateFromTemplate,
    responses: { 201: { description: 'La cotización, como al crearla', schema: CreatedQuote } },
    refusals: [...QUOTE_VALUE_REFUSALS, templateNotFound(), clientNotFound(), productNotFound(), numberTaken()],
    handle: ({ caller, body, transact }) =>
      transact(async (trx) => ({ status: 201, ...(await createFromTemplate(deps, trx, caller, body)) })),
  }),
  route({
    ...common,
    method: 'GET',
    path: '/api/connector/triggers/:event/sample',
    operationId: 'listEventSamples',
    summary: 'Ejemplos de lo que envía un evento',
    description: 'Los 3 más nuevos; si aún no hay ninguno, uno inventado.',
    access: 'authenticated',
    params: SampleParams,
    responses: { 200: { description: 'Cuerpos de envío', schema: Type.Array(Sample) } },
    handle: ({ caller, params, inTenant }) => inTenant((trx) => samplesOf(trx, caller, params.event)),
  }),
  route({
    ...common,
    method: 'POST',
    path: '/api/connector/hooks',
    operationId: 'createConnectorHook',
    needsVerifiedEmail: true,
    summary: 'Suscribe una dirección a un evento',
    description: 'Es un webhook: aparece en `listWebhooks`.',
    access: 'config:manage',
    feature: 'connector',
    idempotency: 'transaction',
    body: CreateHook,
    responses: { 201: { description: 'La suscripción', schema: CreatedHook } },
    refusals: [urlNotCallable([{ path: 'targetUrl', message: NOT_PUBLIC }]), limitReached('webhooks')],
    handle: async ({ caller, body: { targetUrl, event }, signal, transact }) => {
      await assertCallable(deps, { path: 'targetUrl', url: targetUrl }, { key: caller.tenantId, signal });
      return transact(async (trx) => {
        const { webhook } = await createWebhook(deps, trx, caller, { url: targetUrl, events: [event] });
        return { status: 201, body: { id: webhook.id } };
      });
    },
  }),
  route({
    ...common,
    method: 'DELETE',
    path: '/api/connector/hooks/:id',
    operationId: 'deleteConnectorHook',
    summary: 'Termina una suscripción',
    access: 'config:manage',
    feature: 'connector',
    params: IdParams,
    responses: { 200: { description: 'Terminada', schema: Done } },
    refusals: [webhookNotFound()],
    handle: ({ caller, params, inTenant }) => inTenant((trx) => deleteWebhook(trx, caller, params.id).then(done)),
  }),
];
