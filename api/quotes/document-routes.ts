import { Type } from 'typebox';
import { clientHasNoEmail, mailFailed, quoteExpired, quoteNotFound, sharePending } from '../../domain/errors.ts';
import type { Deps } from '../deps.ts';
import { type Route, route } from '../route.ts';
import { quotePdf, linkToQuotePdf } from './pdf.ts';
import { QuoteParams } from './schema.ts';
import { shareQuote } from './share.ts';

const tag = 'Cotizaciones';
const SIGNED =
  'De una cotización firmada es siempre el mismo archivo, byte por byte, aunque cambien los ajustes, el plan o el cliente; ' +
  'si falta en el almacén, 503, y no se genera otro.';
const EXAMPLE_RUN = { workflowId: 'quote.t-4f8k2m9x.COT-12', runId: '0199a4b2-5c1e-7d3f-8a6b-2e4c6f8a0b1d' };

/** Routes for the PDF of a quote and for its share by mail. */
export const quoteDocumentRoutes = (deps: Deps): readonly Route[] => [
  route({
    method: 'POST',
    path: '/api/quotes/:id/share',
    tag,
    summary: 'Envía la cotización por correo a su cliente',
    description:
      'Contesta cuando el servidor de correo aceptó el mensaje, a lo más en 9 segundos. Con `share_pending` el envío ' +
      'sigue en curso; otra llamada se une a él. Lo que falla después de entregado a Temporal nombra en `run` la ' +
      'ejecución que lo tiene; `runId` es null mientras ninguna lo ha tomado.',
    access: 'quotes:read',
    rate: 'share',
    idempotency: 'external',
    params: QuoteParams,
    responses: { 200: { description: 'Enviada', schema: Type.Object({ success: Type.Literal(true) }) } },
    refusals: [
      quoteNotFound(),
      clientHasNoEmail(),
      quoteExpired(),
      mailFailed(EXAMPLE_RUN),
      sharePending(undefined, EXAMPLE_RUN),
    ],
    handle: async ({ caller, params, call }) => {
      await shareQuote(deps, caller, { quoteId: params.id, call });
      return { status: 200, body: { success: true as const } };
    },
  }),
  route({
    method: 'GET',
    path: '/api/quotes/:id/pdf',
    tag,
    summary: 'El PDF, como está la cotización ahora',
    description: SIGNED,
    access: 'quotes:read',
    params: QuoteParams,
    responses: { 200: { description: 'El documento', contentType: 'application/pdf' } },
    refusals: [quoteNotFound()],
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
    tag,
    summary: 'Guarda el PDF y devuelve un enlace temporal',
    description: `Un documento que no ha cambiado no se genera de nuevo. El enlace vale 15 minutos. ${SIGNED}`,
    access: 'quotes:read',
    idempotency: 'none',
    params: QuoteParams,
    responses: {
      200: { description: 'El enlace', schema: Type.Object({ pdfUrl: Type.String({ format: 'uri' }) }) },
    },
    refusals: [quoteNotFound()],
    handle: async ({ caller, params, signal }) => ({
      status: 200,
      body: { pdfUrl: await linkToQuotePdf(deps, { caller, quoteId: params.id, signal }) },
    }),
  }),
];
