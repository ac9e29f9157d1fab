import { Type } from 'typebox';
import { changeQuoteStatus } from '../../db/writes/change-quote-status.ts';
import { memberActor } from '../../domain/caller.ts';
import type { Deps } from '../deps.ts';
import { type Route, route } from '../route.ts';
import { paged, pageOf } from '../schema.ts';
import { createQuote } from './create.ts';
import { drawQuote, linkToQuotePdf } from './pdf.ts';
import { quoteBody, quoteSummary } from './present.ts';
import { findVisibleQuote, listQuotes } from './queries.ts';
import { ChangeStatus, CreatedQuote, CreateQuote, ListQuotes, QuoteBody, QuoteParams, QuoteSummary } from './schema.ts';
import { shareQuote } from './share.ts';

const tag = 'Cotizaciones';

export const quoteRoutes = (deps: Deps): readonly Route[] => [
  route({
    method: 'GET',
    path: '/api/quotes',
    tag,
    summary: 'Lista las cotizaciones',
    description: 'Un colaborador ve las suyas, un dueño todas.',
    access: 'quotes:read',
    rate: 'default',
    query: ListQuotes,
    responses: { 200: { description: 'Una página, por número descendente', schema: pageOf(QuoteSummary) } },
    handle: ({ caller, query }) =>
      deps.withTenant(caller.tenantId, async (trx) => {
        const { quotes, total } = await listQuotes(trx, caller, query);
        return { status: 200, body: paged(quotes.map(quoteSummary), { ...query, total }) };
      }),
  }),
  route({
    method: 'POST',
    path: '/api/quotes',
    tag,
    summary: 'Crea una cotización',
    access: 'quotes:create',
    rate: 'default',
    idempotency: 'transaction',
    body: CreateQuote,
    responses: { 201: { description: 'La cotización, con importes como números', schema: CreatedQuote } },
    handle: ({ caller, body, transact }) =>
      transact(async (trx) => ({ status: 201, body: await createQuote(deps, trx, caller, body) })),
  }),
  route({
    method: 'GET',
    path: '/api/quotes/:id',
    tag,
    summary: 'Una cotización',
    access: 'quotes:read',
    rate: 'default',
    params: QuoteParams,
    responses: { 200: { description: 'La cotización, con importes como texto', schema: QuoteBody } },
    handle: ({ caller, params }) =>
      deps.withTenant(caller.tenantId, async (trx) => ({
        status: 200,
        body: quoteBody(await findVisibleQuote(trx, caller, params.id)),
      })),
  }),
  route({
    method: 'PATCH',
    path: '/api/quotes/:id/status',
    tag,
    summary: 'Cambia el estado',
    description: 'GENERATED → SENT, SENT → WON o LOST. Lo demás se rechaza con 400.',
    access: 'quotes:read_all',
    rate: 'default',
    params: QuoteParams,
    body: ChangeStatus,
    responses: { 200: { description: 'La cotización cambiada', schema: QuoteBody } },
    handle: ({ caller, params, body }) =>
      deps.withTenant(caller.tenantId, async (trx) => ({
        status: 200,
        body: quoteBody(await changeQuoteStatus(trx, memberActor(caller), params.id, body.status)),
      })),
  }),
  route({
    method: 'POST',
    path: '/api/quotes/:id/share',
    tag,
    summary: 'Envía la cotización por correo a su cliente',
    description:
      'Contesta cuando el servidor de correo aceptó el mensaje, a lo más en 9 segundos. Con `share_pending` el envío ' +
      'sigue en curso; otra llamada se une a él.',
    access: 'quotes:read',
    rate: 'share',
    idempotency: 'attempt',
    params: QuoteParams,
    responses: { 200: { description: 'Enviada', schema: Type.Object({ success: Type.Literal(true) }) } },
    handle: async ({ caller, params, attemptId }) => {
      await shareQuote(deps, caller, { quoteId: params.id, attemptId });
      return { status: 200, body: { success: true } };
    },
  }),
  route({
    method: 'GET',
    path: '/api/quotes/:id/pdf',
    tag,
    summary: 'El PDF, generado al momento',
    access: 'quotes:read',
    rate: 'default',
    params: QuoteParams,
    responses: { 200: { description: 'El documento', contentType: 'application/pdf' } },
    handle: async ({ caller, params }) => {
      const { pdf, filename } = await drawQuote(deps, caller, params.id);
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
    description: 'Un documento que no ha cambiado no se genera de nuevo. El enlace vale 15 minutos.',
    access: 'quotes:read',
    rate: 'default',
    idempotency: 'none',
    params: QuoteParams,
    responses: {
      200: { description: 'El enlace', schema: Type.Object({ pdfUrl: Type.String({ format: 'uri' }) }) },
    },
    handle: async ({ caller, params }) => ({
      status: 200,
      body: { pdfUrl: await linkToQuotePdf(deps, caller, params.id) },
    }),
  }),
];
