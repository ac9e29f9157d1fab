import { Type } from 'typebox';
import { Label } from '../../db/models/label.ts';
import { labelNameTaken, labelNotFound, quoteNotFound } from '../../domain/errors.ts';
import { type Route, route } from '../route.ts';
import { Done, done, IdParams } from '../schema.ts';
import { addLabel, removeLabel } from './on-quotes.ts';
import { labelBody } from './present.ts';
import { CreateLabel, LabelBody, QuoteLabelParams, UpdateLabel } from './schema.ts';
import { createLabel, deleteLabel, updateLabel } from './write.ts';

export const labelRoutes: readonly Route[] = [
  route({
    method: 'GET',
    path: '/api/labels',
    operationId: 'listLabels',
    tag: 'Labels',
    summary: 'Lista las etiquetas',
    access: 'quotes:read',
    responses: { 200: { description: 'Todas, por nombre', schema: Type.Array(LabelBody) } },
    handle: ({ caller: { tenantId }, inTenant }) =>
      inTenant(async (trx) => {
        const labels = await Label.query(trx).where({ tenantId }).orderByRaw('lower(name), id');
        return labels.map(labelBody);
      }),
  }),
  route({
    method: 'POST',
    path: '/api/labels',
    operationId: 'createLabel',
    tag: 'Labels',
    summary: 'Crea una etiqueta',
    description: 'Un nombre que el negocio ya usa, en mayúsculas o minúsculas, se rechaza con 409.',
    access: 'config:manage',
    idempotency: 'transaction',
    body: CreateLabel,
    responses: { 201: { description: 'La etiqueta', schema: LabelBody } },
    refusals: [labelNameTaken()],
    handle: ({ caller, body, transact }) =>
      transact(async (trx) => ({ status: 201, body: labelBody(await createLabel(trx, caller, body)) })),
  }),
  route({
    method: 'PATCH',
    path: '/api/labels/:id',
    operationId: 'updateLabel',
    tag: 'Labels',
    summary: 'Cambia el nombre o el color de una etiqueta',
    access: 'config:manage',
    params: IdParams,
    body: UpdateLabel,
    responses: { 200: { description: 'La etiqueta', schema: LabelBody } },
    refusals: [labelNotFound(), labelNameTaken()],
    handle: ({ caller, params, body, inTenant }) =>
      inTenant(async (trx) => labelBody(await updateLabel(trx, caller, params.id, body))),
  }),
  route({
    method: 'DELETE',
    path: '/api/labels/:id',
    operationId: 'deleteLabel',
    tag: 'Labels',
    summary: 'Borra una etiqueta y la quita de todas las cotizaciones',
    access: 'config:manage',
    params: IdParams,
    responses: { 200: { description: 'Borrada', schema: Done } },
    refusals: [labelNotFound()],
    handle: ({ caller, params, inTenant }) => inTenant((trx) => deleteLabel(trx, caller, params.id).then(done)),
  }),
  route({
    method: 'POST',
    path: '/api/quotes/:id/labels/:labelId',
    operationId: 'addQuoteLabel',
    tag: 'Labels',
    summary: 'Pone una etiqueta a una cotización',
    description: 'Si ya la tiene, no cambia nada.',
    access: 'quotes:create',
    idempotency: 'transaction',
    params: QuoteLabelParams,
    responses: { 200: { description: 'Puesta', schema: Done } },
    refusals: [quoteNotFound(), labelNotFound()],
    handle: ({ caller, params: { id: quoteId, labelId }, transact }) =>
      transact(async (trx) => {
        await addLabel(trx, caller, { quoteId, labelId });
        return { status: 200, body: done() };
      }),
  }),
  route({
    method: 'DELETE',
    path: '/api/quotes/:id/labels/:labelId',
    operationId: 'removeQuoteLabel',
    tag: 'Labels',
    summary: 'Quita una etiqueta de una cotización',
    description: 'Si no la tiene, no cambia nada.',
    access: 'quotes:create',
    params: QuoteLabelParams,
    responses: { 200: { description: 'Quitada', schema: Done } },
    refusals: [quoteNotFound(), labelNotFound()],
    handle: ({ caller, params: { id: quoteId, labelId }, inTenant }) =>
      inTenant((trx) => removeLabel(trx, caller, { quoteId, labelId }).then(done)),
  }),
];
