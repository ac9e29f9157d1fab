import { changeQuoteStatus } from '../../db/writes/change-quote-status.ts';
import { labelsOf } from '../../db/reads/quote-labels.ts';
import type { TenantTransaction } from '../../db/with-tenant.ts';
import { type Caller, memberActor } from '../../domain/caller.ts';
import {
  clientNotFound,
  expiryNotAllowed,
  invalidTransition,
  numberTaken,
  productNotFound,
  quoteIsFinal,
  quoteNotFound,
} from '../../domain/errors.ts';
import { featureNotInPlan } from '../../domain/plans.ts';
import { pageBody, startOf } from '../cursor.ts';
import type { Deps } from '../deps.ts';
import { withTag } from '../entity-tag.ts';
import { pipelinedRoute } from '../pipelined-route.ts';
import { type Route, route } from '../route.ts';
import { cursorPageOf } from '../schema.ts';
import { changeExpiry } from './change-expiry.ts';
import { CreateQuote } from './content-schema.ts';
import { contextQueryOf, prepareQuote } from './create.ts';
import { quoteDocumentRoutes } from './document-routes.ts';
import { quoteExportRoutes } from './export-routes.ts';
import { quoteHistoryRoutes } from './history-routes.ts';
import { type LabelledQuote, listUnfiltered, plainOrder } from './list-unfiltered.ts';
import { ListQuotes } from './list-schema.ts';
import { quoteSummary, presentContext } from './present.ts';
import { withFreeNumber } from './number-taken.ts';
import { createContextOf, createContextStatement } from './load-create-context.ts';
import { orderOf } from './order.ts';
import { previewQuote } from './preview.ts';
import { PreviewQuote, PreviewQuoteQuery, QuotePreview } from './preview-schema.ts';
import { findVisibleQuote, listQuotes, lockVisibleQuote, type QuotePage, type QuoteQuery } from './queries.ts';
import { ChangeQuote, ChangeStatus, CreatedQuote, QuoteBody, QuoteParams, QuoteSummary } from './schema.ts';
import { QUOTE_VALUE_REFUSALS } from './value-refusals.ts';
import { assertMatches, taggedQuote } from './tag.ts';

const tag = 'Quotes';
/** An example of the refusals of an expiry. */
const PAST_EXPIRY = { path: 'expiresAt', message: 'debe estar en el futuro' };

export const quoteRoutes = (deps: Deps): readonly Route[] => [
  route({
    method: 'GET',
    path: '/api/quotes',
    operationId: 'listQuotes',
    tag,
    summary: 'Lista las cotizaciones',
    description: 'Un colaborador ve las suyas, un dueño todas.',
    access: 'quotes:read',
    query: ListQuotes,
    responses: {
      200: {
        description: 'Una página; sin `sort`, por número descendente',
        schema: cursorPageOf('QuotePage', QuoteSummary),
      },
    },
    handle: async ({ caller, query }) => {
      const scope = { list: 'quotes', tenantId: caller.tenantId, query };
      const found = await labelledPage(deps, caller, { ...query, after: startOf(scope, orderOf(query)) });
      const data = found.quotes.map((quote) => quoteSummary(quote, quote.labels, presentContext(deps, caller)));
      return { status: 200, body: pageBody(scope, data, found) };
    },
  }),
  // Before /:id, which would match their names as an id.
  ...quoteExportRoutes(deps),
  pipelinedRoute({
    method: 'POST',
    path: '/api/quotes',
    operationId: 'createQuote',
    tag,
    summary: 'Crea una cotización',
    access: 'quotes:create',
    idempotency: 'transaction',
    etag: 'returned',
    body: CreateQuote,
    responses: { 201: { description: 'La cotización, con importes como números', schema: CreatedQuote } },
    refusals: [
      ...QUOTE_VALUE_REFUSALS,
      featureNotInPlan('multi_currency'),
      clientNotFound(),
      productNotFound(),
      numberTaken(),
    ],
    write: {
      first: ({ tenantId, body }) => [createContextStatement(tenantId, contextQueryOf(body))],
      effect: async ({ tx, caller, body, rows: [context] }) => ({
        status: 201,
        ...prepareQuote(deps, tx, caller, body, createContextOf(context)),
      }),
      explain: withFreeNumber,
    },
  }),
  route({
    method: 'POST',
    path: '/api/quotes/preview',
    operationId: 'previewQuote',
    tag,
    summary: 'Calcula una cotización sin guardarla',
    description:
      'Las mismas comprobaciones y los mismos importes que `createQuote`, o que `reviseQuote` con `quoteId`. No guarda ' +
      'nada ni toma un número.',
    access: 'quotes:create',
    idempotency: 'none',
    query: PreviewQuoteQuery,
    body: PreviewQuote,
    responses: {
      200: { description: 'Los importes, como texto, y lo que la cotización tendría', schema: QuotePreview },
    },
    refusals: [
      ...QUOTE_VALUE_REFUSALS,
      featureNotInPlan('multi_currency'),
      featureNotInPlan('quote_versioning'),
      quoteNotFound(),
      clientNotFound(),
      productNotFound(),
      quoteIsFinal('WON'),
    ],
    handle: ({ caller, body, query, inTenant }) =>
      inTenant((trx) =>
        previewQuote(trx, caller, { body, revisedId: query.quoteId, context: presentContext(deps, caller) }),
      ),
  }),
  route({
    method: 'GET',
    path: '/api/quotes/:id',
    operationId: 'getQuote',
    tag,
    summary: 'Una cotización',
    access: 'quotes:read',
    etag: 'returned',
    params: QuoteParams,
    responses: { 200: { description: 'La cotización, con importes como texto', schema: QuoteBody } },
    refusals: [quoteNotFound()],
    handle: ({ caller, params, inTenant }) =>
      inTenant(
        async (trx) =>
          await taggedQuote(trx, presentContext(deps, caller), await findVisibleQuote(trx, caller, params.id)),
        // A snapshot, so that a concurrent revision cannot mix new lines with old amounts.
        { isSnapshot: true },
      ).then(withTag),
  }),
  route({
    method: 'PATCH',
    path: '/api/quotes/:id',
    operationId: 'updateQuote',
    tag,
    summary: 'Cambia la vigencia, y nada más, de una cotización abierta',
    description:
      'Solo cambia la vigencia: `expiresAt` o `validUntil`; para lo demás, `reviseQuote`. La versión no cambia. Una cotización ' +
      'final se rechaza con 400, `quote_is_final`, con la misma frase que al revisarla.',
    access: 'quotes:create',
    etag: 'checked',
    params: QuoteParams,
    body: ChangeQuote,
    responses: { 200: { description: 'La cotización cambiada', schema: QuoteBody } },
    refusals: [quoteNotFound(), expiryNotAllowed(PAST_EXPIRY), quoteIsFinal('WON')],
    handle: ({ caller, params, body, ifMatch, inTenant }) =>
      inTenant(async (trx) => {
        const context = presentContext(deps, caller);
        const change = { quoteId: params.id, validity: body, ifMatch };
        return await taggedQuote(trx, context, await changeExpiry(trx, caller, change, context));
      }).then(withTag),
  }),
  route({
    method: 'PATCH',
    path: '/api/quotes/:id/status',
    operationId: 'changeQuoteStatus',
    tag,
    summary: 'Cambia el estado',
    description: 'GENERATED → SENT, SENT → WON o LOST. Lo demás se rechaza con 400.',
    access: 'quotes:read_all',
    etag: 'checked',
    params: QuoteParams,
    body: ChangeStatus,
    responses: { 200: { description: 'La cotización cambiada', schema: QuoteBody } },
    refusals: [quoteNotFound(), invalidTransition('GENERATED', 'WON')],
    handle: ({ caller, params, body, ifMatch, inTenant }) =>
      inTenant(async (trx) => {
        const context = presentContext(deps, caller);
        if (ifMatch) await assertMatches(trx, await lockVisibleQuote(trx, caller, params.id), { ifMatch, context });
        const moved = await changeQuoteStatus(trx, memberActor(caller), params.id, body.status);
        return await taggedQuote(trx, context, moved);
      }).then(withTag),
  }),
  ...quoteHistoryRoutes(deps),
  ...quoteDocumentRoutes(deps),
];

/** One page of quotes with their labels. */
async function labelledPage(
  { now, pipelinedRead, withTenant }: Deps,
  caller: Caller,
  { after, ...query }: QuoteQuery,
): Promise<QuotePage<LabelledQuote>> {
  const order = plainOrder(query);
  if (order) return listUnfiltered(pipelinedRead, caller, { order, after, ...query });
  const read = async (trx: TenantTransaction) => {
    const found = await listQuotes(trx, caller, { ...query, after, now: now() });
    const labels = await labelsOf(
      trx,
      found.quotes.map(({ id }) => id),
    );
    return { ...found, quotes: found.quotes.map((quote) => ({ ...quote, labels: labels.get(quote.id) ?? [] })) };
  };
  return withTenant(caller.tenantId, read, { isSnapshot: query.updatedSince === undefined });
}
