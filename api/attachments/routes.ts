import { Type } from 'typebox';
import { ATTACHMENT_TYPES, MAX_ATTACHMENTS } from '../../domain/attachments.ts';
import {
  attachmentNotFound,
  attachmentQuotaReached,
  attachmentRefused,
  attachmentsFixed,
  attachmentsTooLarge,
  attachmentTypeNotAllowed,
  invalidTransition,
  noFile,
  quoteNotFound,
  tooLarge,
  tooManyAttachments,
} from '../../domain/errors.ts';
import type { Deps } from '../deps.ts';
import { findVisibleQuote } from '../quotes/queries.ts';
import { QuoteParams } from '../quotes/schema.ts';
import { type Route, route } from '../route.ts';
import { Done, done } from '../schema.ts';
import { attachmentBody } from './present.ts';
import { downloadAttachment } from './read.ts';
import { AttachmentBody, AttachmentForm, AttachmentParams } from './schema.ts';
import { uploadAttachment } from './upload.ts';
import { removeAttachment } from './write.ts';

const tag = 'Quotes';
const WHEN =
  'Mientras la cotización está en GENERATED; en FREE también en SENT. Una cotización enviada en PRO, que su cliente ve, ' +
  'solo cambia al revisarla (`attachmentIds`).';
const LIMITS =
  'PDF, PNG o JPG, reconocido por su contenido; las imágenes se guardan codificadas de nuevo, sin metadatos. A lo más ' +
  '5 MB por archivo, 5 archivos y 10 MB por cotización, y el espacio del negocio según su plan. Archivos iguales ocupan ' +
  'el espacio de uno.';
const ENCRYPTED = 'El PDF está protegido con contraseña o permisos; quítele la protección e intente de nuevo';

/** Routes for the files of a quote. */
export const attachmentRoutes = (deps: Deps): readonly Route[] => [
  route({
    method: 'GET',
    path: '/api/quotes/:id/attachments',
    operationId: 'listQuoteAttachments',
    tag,
    summary: 'Los archivos de la cotización',
    access: 'quotes:read',
    params: QuoteParams,
    responses: { 200: { description: 'Los de la versión actual, en su orden', schema: Type.Array(AttachmentBody) } },
    refusals: [quoteNotFound()],
    handle: ({ caller, params, inTenant }) =>
      inTenant(async (trx) => (await findVisibleQuote(trx, caller, params.id)).attachments.map(attachmentBody)),
  }),
  route({
    method: 'POST',
    path: '/api/quotes/:id/attachments',
    operationId: 'uploadQuoteAttachment',
    tag,
    summary: 'Adjunta un archivo',
    description: `${WHEN}\n\n${LIMITS}`,
    access: 'quotes:create',
    rate: 'upload',
    idempotency: 'external',
    params: QuoteParams,
    body: AttachmentForm,
    upload: { field: 'file', maxBytes: MAX_ATTACHMENTS.fileBytes, missing: noFile, tooLarge },
    responses: { 201: { description: 'El archivo, adjunto', schema: AttachmentBody } },
    refusals: [
      noFile(),
      attachmentTypeNotAllowed(),
      attachmentRefused(ENCRYPTED),
      quoteNotFound(),
      invalidTransition('WON', 'GENERATED'),
      attachmentsFixed(),
      tooManyAttachments(),
      attachmentsTooLarge(),
      attachmentQuotaReached(),
    ],
    handle: async ({ caller, params, body, call, signal }) => {
      const upload = { quoteId: params.id, file: body.file, filename: body.filename, call, signal };
      return { status: 201, body: attachmentBody(await uploadAttachment(deps, caller, upload)) };
    },
  }),
  route({
    method: 'GET',
    path: '/api/quotes/:id/attachments/:attachmentId',
    operationId: 'downloadQuoteAttachment',
    tag,
    summary: 'Descarga un archivo de la cotización',
    description: 'También el de una versión anterior. Con el tipo de su contenido, siempre como descarga.',
    access: 'quotes:read',
    params: AttachmentParams,
    responses: { 200: { description: 'El archivo', contentType: ATTACHMENT_TYPES } },
    refusals: [quoteNotFound(), attachmentNotFound()],
    handle: ({ caller, params }) =>
      downloadAttachment(deps, caller, { quoteId: params.id, attachmentId: params.attachmentId }),
  }),
  route({
    method: 'DELETE',
    path: '/api/quotes/:id/attachments/:attachmentId',
    operationId: 'deleteQuoteAttachment',
    tag,
    summary: 'Quita un archivo de la cotización',
    description: `${WHEN} Las versiones anteriores lo conservan.`,
    access: 'quotes:create',
    params: AttachmentParams,
    responses: { 200: { description: 'La cotización ya no lo tiene', schema: Done } },
    refusals: [quoteNotFound(), attachmentNotFound(), invalidTransition('WON', 'GENERATED'), attachmentsFixed()],
    handle: async ({ caller, params, inTenant }) =>
      inTenant(async (trx) => {
        await removeAttachment(trx, caller, { quoteId: params.id, attachmentId: params.attachmentId });
        return done();
      }),
  }),
];
