import { Type } from 'typebox';
import { productNotFound, templateNotFound } from '../../domain/errors.ts';
import { type Route, route } from '../route.ts';
import { Done, done } from '../schema.ts';
import { templateBody } from './present.ts';
import { findTemplate, listTemplates } from './queries.ts';
import { CreateTemplate, TemplateBody, TemplateParams, UpdateTemplate } from './schema.ts';
import { createTemplate, deleteTemplate, updateTemplate } from './write.ts';

const tag = 'Templates';

export const templateRoutes: readonly Route[] = [
  route({
    method: 'GET',
    path: '/api/templates',
    operationId: 'listTemplates',
    tag,
    summary: 'Lista las plantillas activas',
    access: 'authenticated',
    responses: { 200: { description: 'De la más nueva a la más antigua', schema: Type.Array(TemplateBody) } },
    handle: ({ caller: { tenantId }, inTenant }) =>
      inTenant(async (trx) => (await listTemplates(trx, tenantId)).map(templateBody)),
  }),
  route({
    method: 'POST',
    path: '/api/templates',
    operationId: 'createTemplate',
    tag,
    summary: 'Crea una plantilla',
    access: 'config:manage',
    feature: 'templates',
    idempotency: 'transaction',
    body: CreateTemplate,
    responses: { 201: { description: 'La plantilla', schema: TemplateBody } },
    refusals: [productNotFound()],
    handle: ({ caller, body, transact }) =>
      transact(async (trx) => ({ status: 201, body: templateBody(await createTemplate(trx, caller, body)) })),
  }),
  route({
    method: 'GET',
    path: '/api/templates/:id',
    operationId: 'getTemplate',
    tag,
    summary: 'Una plantilla',
    description: 'También una borrada, con `isActive` false.',
    access: 'authenticated',
    params: TemplateParams,
    responses: { 200: { description: 'La plantilla', schema: TemplateBody } },
    refusals: [templateNotFound()],
    handle: ({ caller: { tenantId }, params, inTenant }) =>
      inTenant(async (trx) => templateBody(await findTemplate(trx, tenantId, params.id))),
  }),
  route({
    method: 'PATCH',
    path: '/api/templates/:id',
    operationId: 'updateTemplate',
    tag,
    summary: 'Cambia una plantilla',
    access: 'config:manage',
    feature: 'templates',
    params: TemplateParams,
    body: UpdateTemplate,
    responses: { 200: { description: 'La plantilla', schema: TemplateBody } },
    refusals: [templateNotFound(), productNotFound()],
    handle: ({ caller, params, body, inTenant }) =>
      inTenant(async (trx) => templateBody(await updateTemplate(trx, caller, params.id, body))),
  }),
  route({
    method: 'DELETE',
    path: '/api/templates/:id',
    operationId: 'deleteTemplate',
    tag,
    summary: 'Borra una plantilla',
    description: 'Deja de aparecer en la lista; las cotizaciones que salieron de ella no cambian.',
    access: 'config:manage',
    params: TemplateParams,
    responses: { 200: { description: 'Borrada', schema: Done } },
    refusals: [templateNotFound()],
    handle: ({ caller, params, inTenant }) => inTenant((trx) => deleteTemplate(trx, caller, params.id).then(done)),
  }),
];
