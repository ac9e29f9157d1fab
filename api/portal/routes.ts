import { ATTACHMENT_TYPES } from '../../domain/attachments.ts';
import {
  alreadyAnswered,
  attachmentNotFound,
  quoteLapsed,
  quoteNotFound,
  selectionNotAllowed,
  signatureImageInvalid,
  versionChanged,
} from '../../domain/errors.ts';
import { messageLimitReached } from '../../domain/request-refusals.ts';
import { localeNamed } from '../../domain/locale.ts';
import type { Deps } from '../deps.ts';
import { type Route, route } from '../route.ts';
import { acceptQuote } from './accept.ts';
import { downloadForClient } from '../attachments/read.ts';
import { portalPdf } from './document.ts';
import { type PortalQuote, withPortalQuote } from './find.ts';
import { portalQuote, totalsBody } from './present.ts';
import { rejectQuote } from './reject.ts';
import { requestChanges } from './request-changes.ts';
import {
  AcceptedBody,
  AcceptQuote,
  MAX_BYTES,
  PdfQuery,
  PortalAttachmentParams,
  PortalParams,
  PortalQuoteBody,
  RejectedBody,
  RejectQuote,
  RequestChanges,
  RequestedChangesBody,
  SelectItems,
  TotalsBody,
} from './schema.ts';
import { selectedQuote } from './selection.ts';

const tag = 'Client portal';
/** An example of the refusals of a selection. */
const NO_SUCH_LINE = [{ path: 'selectedItemIds.0', message: 'no es una partida de esta cotización' }];
// Responses are private to the link and change at any time.
const headers = { 'Cache-Control': 'private, no-store', 'X-Robots-Tag': 'noindex, nofollow' };

/** The API behind the client's page, for businesses with their own page. */
export const portalRoutes = (deps: Deps): readonly Route[] => [
  route({
    method: 'GET',
    path: '/api/portal/:token',
    operationId: 'getPortalQuote',
    tag,
    summary: 'La cotización, como la ve su cliente',
    description:
      'En cualquier estado desde que se envió. Leerla no cambia nada ni cuenta como vista. Solo en el plan PRO.',
    access: 'public',
    rate: 'public',
    params: PortalParams,
    responses: { 200: { description: 'La cotización', schema: PortalQuoteBody } },
    refusals: [quoteNotFound()],
    handle: async ({ params: { token } }) => {
      const request = { token, origin: deps.config.PUBLIC_URL, now: deps.now() };
      const body = await withPortalQuote(deps, token, (_trx, found) => Promise.resolve(portalQuote(found, request)));
      return { status: 200, body, headers };
    },
  }),
  route({
    method: 'GET',
    path: '/api/portal/:token/pdf',
    operationId: 'downloadPortalPdf',
    tag,
    summary: 'El PDF; una vez firmado, siempre el mismo documento',
    access: 'public',
    rate: 'public',
    params: PortalParams,
    query: PdfQuery,
    responses: { 200: { description: 'El documento', contentType: 'application/pdf' } },
    refusals: [quoteNotFound()],
    handle: ({ params: { token }, query: { lang }, signal }) =>
      portalPdf(deps, { token, locale: localeNamed(lang), signal }),
  }),
  route({
    method: 'GET',
    path: '/api/portal/:token/attachments/:attachmentId',
    operationId: 'downloadPortalAttachment',
    tag,
    summary: 'Un archivo de la cotización, como descarga',
    access: 'public',
    rate: 'public',
    params: PortalAttachmentParams,
    responses: { 200: { description: 'El archivo', contentType: ATTACHMENT_TYPES } },
    refusals: [quoteNotFound(), attachmentNotFound()],
    handle: ({ params: { token, attachmentId } }) => downloadForClient(deps, { token, attachmentId }),
  }),
  route({
    method: 'POST',
    path: '/api/portal/:token/totals',
    operationId: 'previewPortalTotals',
    tag,
    summary: 'Los importes con las partidas que el cliente elige',
    description: 'No guarda nada. Sin `selectedItemIds`, los importes como los dejó el vendedor.',
    access: 'public',
    rate: 'public',
    idempotency: 'none',
    params: PortalParams,
    body: SelectItems,
    maxBodyBytes: MAX_BYTES.totals,
    responses: { 200: { description: 'Los importes', schema: TotalsBody } },
    refusals: [selectionNotAllowed(NO_SUCH_LINE), quoteNotFound(), alreadyAnswered(), versionChanged(), quoteLapsed()],
    handle: async ({ params: { token }, body }) => {
      const select = (found: PortalQuote) => totalsBody(selectedQuote(found, body, deps.now()).quote);
      return {
        status: 200,
        body: await withPortalQuote(deps, token, (_trx, found) => Promise.resolve(select(found))),
        headers,
      };
    },
  }),
  route({
    method: 'POST',
    path: '/api/portal/:token/accept',
    operationId: 'acceptPortalQuote',
    tag,
    summary: 'El cliente acepta la versión que vio',
    description:
      'Guarda la firma con su constancia y el documento firmado. Sin `signature`, el nombre escrito es la firma. ' +
      'Repetir la misma respuesta, con la misma selección o sin ella, no cambia nada, también con otro nombre o correo: firma ' +
      'quien aceptó primero, y `getPortalQuote` lo nombra en `signature`. Con otra selección se responde 409.',
    access: 'public',
    rate: 'public',
    idempotency: 'none',
    params: PortalParams,
    body: AcceptQuote,
    maxBodyBytes: MAX_BYTES.accept,
    responses: { 200: { description: 'Aceptada, ahora o antes', schema: AcceptedBody } },
    refusals: [
      selectionNotAllowed(NO_SUCH_LINE),
      signatureImageInvalid('debe pesar como máximo 512 kB'),
      quoteNotFound(),
      alreadyAnswered(),
      versionChanged(),
      quoteLapsed(),
    ],
    handle: async ({ params, body, ip, userAgent, requestId }) => {
      const source = { ip, userAgent, requestId };
      return { status: 200, body: await acceptQuote(deps, { token: params.token, body, source }), headers };
    },
  }),
  route({
    method: 'POST',
    path: '/api/portal/:token/reject',
    operationId: 'rejectPortalQuote',
    tag,
    summary: 'El cliente rechaza la cotización',
    description: 'El motivo es opcional. Repetir la misma respuesta no cambia nada.',
    access: 'public',
    rate: 'public',
    idempotency: 'none',
    params: PortalParams,
    body: RejectQuote,
    maxBodyBytes: MAX_BYTES.reject,
    responses: { 200: { description: 'Rechazada, ahora o antes', schema: RejectedBody } },
    refusals: [quoteNotFound(), alreadyAnswered(), quoteLapsed()],
    handle: async ({ params, body, ip, userAgent, requestId }) => {
      const source = { ip, userAgent, requestId };
      return { status: 200, body: await rejectQuote(deps, { token: params.token, body, source }), headers };
    },
  }),
  route({
    method: 'POST',
    path: '/api/portal/:token/request-changes',
    operationId: 'requestPortalChanges',
    tag,
    summary: 'El cliente pide cambios a la versión que vio',
    description:
      'El estado no cambia; quien hizo la cotización recibe un aviso y un correo, y los seguimientos se detienen hasta el ' +
      'siguiente envío. Repetir el mismo mensaje el mismo día no tiene otro efecto. A lo más 10 por cotización y día del ' +
      'negocio.',
    access: 'public',
    rate: 'public',
    idempotency: 'none',
    params: PortalParams,
    body: RequestChanges,
    maxBodyBytes: MAX_BYTES.changes,
    responses: { 201: { description: 'El mensaje', schema: RequestedChangesBody } },
    refusals: [quoteNotFound(), alreadyAnswered(), versionChanged(), quoteLapsed(), messageLimitReached(3600)],
    handle: async ({ params, body, ip, userAgent, requestId }) => {
      const source = { ip, userAgent, requestId };
      return { status: 201, body: await requestChanges(deps, { token: params.token, body, source }), headers };
    },
  }),
];
