import { Type } from 'typebox';
import {
  attachmentNotFound,
  attachmentsTooLarge,
  clientNotFound,
  productNotFound,
  quoteIsFinal,
  quoteNotFound,
  signatureNotFound,
  versionChanged,
} from '../../domain/errors.ts';
import type { Deps } from '../deps.ts';
import { paged } from '../schema.ts';
import { historyOf } from './change-history.ts';
import { ListHistory, QuoteChangePage } from './change-history-schema.ts';
import { type Route, route } from '../route.ts';
import { duplicateQuote } from './duplicate.ts';
import { signatureEvidence } from './signature-evidence.ts';
import { signatureOf, versionsOf } from './history.ts';
import {
  EvidenceBody,
  LinkBody,
  ListVersions,
  QuoteVersionBody,
  SignatureResult,
  WorkflowExecutionBody,
} from './history-schema.ts';
import { linkOf, rotateLink } from './public-link.ts';
import { workflowExecution } from './present-history.ts';
import { findVisibleRow } from './queries.ts';
import { reviseQuote } from './revise.ts';
import { ReviseQuote } from './content-schema.ts';
import { CreatedQuote, QuoteWithNumericAmounts, QuoteParams } from './schema.ts';
import { QUOTE_VALUE_REFUSALS } from './value-refusals.ts';

const tag = 'Quotes';

/** Routes for the status, versions, signature, link and workflow executions of a quote. */
export const quoteHistoryRoutes = (deps: Deps): readonly Route[] => [
  route({
    method: 'POST',
    path: '/api/quotes/:id/duplicate',
    operationId: 'duplicateQuote',
    tag,
    summary: 'Duplica una cotización',
    description: 'Nueva cotización con número, enlace y vigencia propios, calculada con la tasa de impuesto actual.',
    access: 'quotes:create',
    feature: 'quote_duplication',
    idempotency: 'transaction',
    etag: 'returned',
    params: QuoteParams,
    responses: { 201: { description: 'La cotización nueva, con importes como números', schema: CreatedQuote } },
    refusals: [quoteNotFound(), clientNotFound()],
    handle: ({ caller, params, transact }) =>
      transact(async (trx) => ({ status: 201, ...(await duplicateQuote(deps, trx, caller, params.id)) })),
  }),
  route({
    method: 'POST',
    path: '/api/quotes/:id/revise',
    operationId: 'reviseQuote',
    tag,
    summary: 'Revisa una cotización abierta: guarda la versión anterior y la reemplaza',
    description:
      'Número, estado y tasa de impuesto se conservan; también lo que no se envía, menos las partidas, que se dan ' +
      'siempre, y `shippingCost`, que sin valor es 0. Otro cliente cambia el enlace público. No se envía nada. Una ' +
      'cotización final se rechaza con 400, `quote_is_final`.',
    access: 'quotes:create',
    feature: 'quote_versioning',
    idempotency: 'transaction',
    etag: 'checked',
    params: QuoteParams,
    body: ReviseQuote,
    responses: {
      200: { description: 'La cotización revisada, con importes como números', schema: QuoteWithNumericAmounts },
    },
    refusals: [
      ...QUOTE_VALUE_REFUSALS,
      quoteNotFound(),
      clientNotFound(),
      productNotFound(),
      attachmentNotFound(),
      quoteIsFinal('WON'),
      attachmentsTooLarge(),
      versionChanged(),
    ],
    handle: ({ caller, params, body, ifMatch, transact }) =>
      transact(async (trx) => ({
        status: 200,
        ...(await reviseQuote(deps, trx, caller, { quoteId: params.id, body, ifMatch })),
      })),
  }),
  route({
    method: 'GET',
    path: '/api/quotes/:id/versions',
    operationId: 'listQuoteVersions',
    tag,
    summary: 'Las versiones anteriores',
    access: 'quotes:read',
    params: QuoteParams,
    query: ListVersions,
    responses: { 200: { description: 'De la más nueva a la más vieja', schema: Type.Array(QuoteVersionBody) } },
    refusals: [quoteNotFound()],
    handle: ({ caller, params, query, inTenant }) =>
      inTenant((trx) => versionsOf(trx, caller, { quoteId: params.id, ...query })),
  }),
  route({
    method: 'GET',
    path: '/api/quotes/:id/history',
    operationId: 'listQuoteHistory',
    tag,
    summary: 'Lo que pasó con la cotización',
    description:
      'De lo más nuevo a lo más viejo: versiones, envíos, estados, vigencia, etiquetas, archivos y mensajes.',
    access: 'quotes:read',
    params: QuoteParams,
    query: ListHistory,
    responses: { 200: { description: 'Una página de cambios', schema: QuoteChangePage } },
    refusals: [quoteNotFound()],
    handle: async ({ caller, params, query, inTenant }) =>
      inTenant(async (trx) => {
        const { changes, total } = await historyOf(trx, caller, { quoteId: params.id, ...query });
        return paged(changes, { total, ...query });
      }),
  }),
  route({
    method: 'GET',
    path: '/api/quotes/:id/signature',
    operationId: 'getQuoteSignature',
    tag,
    summary: 'La firma del cliente',
    access: 'quotes:read',
    params: QuoteParams,
    responses: { 200: { description: 'La firma, o null', schema: SignatureResult } },
    refusals: [quoteNotFound()],
    handle: async ({ caller, params }) => ({ status: 200, body: await signatureOf(deps, caller, params.id) }),
  }),
  route({
    method: 'GET',
    path: '/api/quotes/:id/signature/evidence',
    operationId: 'getQuoteSignatureEvidence',
    tag,
    summary: 'La constancia de la firma, como archivo',
    description:
      'Quién aceptó, qué, con qué palabras y desde dónde, con los SHA-256 de lo que se firmó y de su documento.',
    access: 'quotes:read',
    params: QuoteParams,
    responses: { 200: { description: 'La constancia', schema: EvidenceBody } },
    refusals: [quoteNotFound(), signatureNotFound()],
    handle: ({ caller, params }) => signatureEvidence(deps, caller, params.id),
  }),
  route({
    method: 'GET',
    path: '/api/quotes/:id/link',
    operationId: 'getQuoteLink',
    tag,
    summary: 'El enlace que abre el cliente',
    description: 'La página existe en el plan PRO y desde que la cotización se envió.',
    access: 'quotes:read',
    keys: 'full',
    params: QuoteParams,
    responses: { 200: { description: 'El enlace', schema: LinkBody } },
    refusals: [quoteNotFound()],
    handle: ({ caller, params, inTenant }) => inTenant((trx) => linkOf(deps, trx, caller, params.id)),
  }),
  route({
    method: 'POST',
    path: '/api/quotes/:id/link/rotate',
    operationId: 'rotateQuoteLink',
    tag,
    summary: 'Cambia el enlace; el anterior deja de abrir',
    access: 'quotes:create',
    idempotency: 'transaction',
    params: QuoteParams,
    responses: { 200: { description: 'El enlace nuevo', schema: LinkBody } },
    refusals: [quoteNotFound()],
    handle: ({ caller, params, transact }) =>
      transact(async (trx) => ({ status: 200, body: await rotateLink(deps, trx, caller, params.id) })),
  }),
  route({
    method: 'GET',
    path: '/api/quotes/:id/runs',
    operationId: 'listQuoteRuns',
    tag,
    summary: 'Las ejecuciones de la cotización en Temporal',
    access: 'quotes:read_all',
    params: QuoteParams,
    responses: { 200: { description: 'De la más nueva a la más vieja', schema: Type.Array(WorkflowExecutionBody) } },
    refusals: [quoteNotFound()],
    handle: async ({ caller, params }) => {
      const { tenantId, id: quoteId } = await deps.withTenant(caller.tenantId, (trx) =>
        findVisibleRow(trx, caller, params.id),
      );
      const runs = await deps.workflowExecutions.ofQuote({ tenantId, quoteId });
      return { status: 200, body: runs.map(workflowExecution) };
    },
  }),
];
