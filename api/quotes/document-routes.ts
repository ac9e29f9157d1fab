import { Type } from 'typebox';
import {
  clientHasNoEmail,
  invalidInput,
  mailFailed,
  otherShareInProgress,
  quoteClientChanged,
  quoteExpired,
  quoteNotFound,
  sharePending,
} from '../../domain/errors.ts';
import { mailQuotaReached, workQueueFull } from '../../domain/request-refusals.ts';
import { assertFeature, featureNotInPlan } from '../../domain/plans.ts';
import type { Deps } from '../deps.ts';
import { type Route, route } from '../route.ts';
import { quotePdf, linkToQuotePdf } from './pdf.ts';
import { named } from '../schema.ts';
import { QuoteParams } from './schema.ts';
import { shareLink } from './share-link.ts';
import { PreviewShare, SharedQuote, SharePreview, ShareQuote } from './share-schema.ts';
import { previewShare } from './share-preview.ts';
import { shareQuote } from './share.ts';

const tag = 'Quotes';
const SIGNED =
  'De una cotización firmada es siempre el mismo archivo, byte por byte, aunque cambien los ajustes, el plan o el cliente; ' +
  'si falta en el almacén, 503, y no se genera otro.';
const EXAMPLE_RUN = { workflowId: 'quote.t-4f8k2m9x.COT-12', runId: '0199a4b2-5c1e-7d3f-8a6b-2e4c6f8a0b1d' };

/** Routes for the PDF of a quote and for its share by mail. */
export const quoteDocumentRoutes = (deps: Deps): readonly Route[] => [
  route({
    method: 'POST',
    path: '/api/quotes/:id/share',
    operationId: 'shareQuote',
    needsVerifiedEmail: true,
    tag,
    summary: 'Envía la cotización por correo, o da su enlace',
    description:
      'Sin contenido la envía a su cliente. Contesta cuando el servidor de correo aceptó el mensaje para al menos uno de ' +
      '`to`, a lo más en 9 segundos; `rejected` nombra a quienes no. Cada destinatario cuenta en el límite de correos. ' +
      'Una llamada con el mismo contenido se une al envío en curso; con otro, 409. Con `share_pending` el envío sigue ' +
      'en curso. Con `channel` link no envía nada: contesta el enlace, y una cotización GENERATED pasa a SENT (requiere ' +
      'quotes:read_all). Si la cotización se revisó para otro cliente mientras se enviaba, 409. Lo que falla después de entregado a Temporal nombra en `run` la ' +
      'ejecución que lo tiene; `runId` es null mientras ninguna lo ha tomado.',
    access: 'quotes:read',
    rate: 'share',
    idempotency: 'external',
    params: QuoteParams,
    body: ShareQuote,
    responses: { 200: { description: 'Enviada', schema: SharedQuote } },
    refusals: [
      featureNotInPlan('share_link'),
      quoteNotFound(),
      clientHasNoEmail(),
      quoteExpired(),
      quoteClientChanged(EXAMPLE_RUN),
      otherShareInProgress(),
      mailFailed(EXAMPLE_RUN),
      sharePending(undefined, EXAMPLE_RUN),
      mailQuotaReached(3600),
    ],
    handle: async ({ caller, params, body, call, deadline }) => {
      const quoteId = params.id;
      if (body.channel === 'link') {
        assertFeature(caller.plan, 'share_link');
        assertNoRecipients(body);
        const { message } = body;
        const links = await deps.withTenant(caller.tenantId, (trx) =>
          shareLink(deps, trx, caller, { quoteId, message }),
        );
        return { status: 200, body: { success: true as const, ...links }, isUnstored: true };
      }
      const rejected = await shareQuote(deps, caller, { quoteId, call, request: body, deadline });
      const hasContent = Object.keys(body).length > 0;
      return { status: 200, body: { success: true as const, ...(hasContent && { rejected }) } };
    },
  }),
  route({
    method: 'POST',
    path: '/api/quotes/:id/share/preview',
    operationId: 'previewQuoteShare',
    tag,
    summary: 'El correo que se enviaría, sin enviarlo',
    description: 'Con las reglas de `shareQuote` para destinatarios y vigencia. No envía, no guarda y no cuenta nada.',
    access: 'quotes:read',
    idempotency: 'none',
    params: QuoteParams,
    body: PreviewShare,
    responses: { 200: { description: 'El correo', schema: SharePreview } },
    refusals: [featureNotInPlan('share_with_anyone'), quoteNotFound(), clientHasNoEmail(), quoteExpired()],
    handle: ({ caller, params, body, inTenant }) =>
      inTenant((trx) => previewShare(deps, trx, caller, { quoteId: params.id, request: body })),
  }),
  route({
    method: 'GET',
    path: '/api/quotes/:id/pdf',
    operationId: 'downloadQuotePdf',
    tag,
    summary: 'El PDF, como está la cotización ahora',
    description: SIGNED,
    access: 'quotes:read',
    params: QuoteParams,
    responses: { 200: { description: 'El documento', contentType: 'application/pdf' } },
    refusals: [quoteNotFound(), workQueueFull(30)],
    handle: async ({ caller, params, signal }) => {
      const { pdf, filename } = await quotePdf(deps, { caller, quoteId: params.id, signal });
      const headers = {
        'Content-Type': 'application/pdf',
        'Content-Disposition': `inline; filename="${filename}"`,
        'Cache-Control': 'private, no-store',
      };
      return { status: 200, body: pdf, headers };
    },
  }),
  route({
    method: 'POST',
    path: '/api/quotes/:id/pdf',
    operationId: 'createQuotePdfLink',
    tag,
    summary: 'Guarda el PDF y devuelve un enlace temporal',
    description: `Un documento que no ha cambiado no se genera de nuevo. El enlace vale 15 minutos. ${SIGNED}`,
    access: 'quotes:read',
    idempotency: 'none',
    params: QuoteParams,
    responses: {
      200: { description: 'El enlace', schema: named('PdfLink', { pdfUrl: Type.String({ format: 'uri' }) }) },
    },
    refusals: [quoteNotFound(), workQueueFull(30)],
    handle: async ({ caller, params, signal }) => ({
      status: 200,
      body: { pdfUrl: await linkToQuotePdf(deps, { caller, quoteId: params.id, signal }) },
    }),
  }),
];

/** A link is sent to no one: recipients beside it would be a mistake. */
function assertNoRecipients(request: ShareQuote): void {
  const named = (['to', 'cc'] as const).filter((list) => request[list]?.length);
  if (named.length > 0)
    throw invalidInput(named.map((path) => ({ path, message: 'no se admite con channel link, que no envía nada' })));
}
