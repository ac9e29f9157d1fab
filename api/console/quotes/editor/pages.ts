import { valueOf, type Fields } from '../../../../console/forms/form-state.ts';
import { clientsPage } from '../../../../console/quotes/editor/client.ts';
import { productsPage } from '../../../../console/quotes/editor/lines.ts';
import { notRevisablePage } from '../../../../console/quotes/editor/page.ts';
import { totalsPage } from '../../../../console/quotes/editor/totals.ts';
import { LINES_ON_PAGE } from '../../../../console/quotes/editor/view.ts';
import { STATUSES } from '../../../../console/quotes/status.ts';
import { isFinal } from '../../../../domain/quote-status.ts';
import { page } from '../../declaration.ts';
import { newForm } from '../../form.ts';
import { withClient } from './changes.ts';
import { creationFrom, revisionFrom } from './body.ts';
import { newQuoteFields, revisionFields } from './fields.ts';
import { rowsOf } from './rows.ts';
import { edited } from './save.ts';
import { searchClients, searchProducts } from './search.ts';
import { type EditorRequest, NEW_PATH, revisePath, shownEditor } from './show.ts';
import { quoteDefaults, totalsView } from './totals.ts';

const REVISE_PATH = '/app/quotes/:id/revise';
const access = 'quotes:create' as const;
const feature = 'quote_versioning' as const;

/** The form of a quote. Its parts answer htmx while somebody types. */
export const quoteEditorPages = [
  page({
    method: 'GET',
    path: NEW_PATH,
    access,
    handle: async (request) => {
      const { template, client } = request.query;
      const [defaults, source] = await Promise.all([
        quoteDefaults(request),
        template === undefined ? undefined : request.call('getTemplate', { params: { id: template } }),
      ]);
      const fields = newQuoteFields(defaults, source);
      const form = newForm(client === undefined ? fields : withClient(fields, client));
      return shownEditor(request, form, {
        revised: undefined,
        ...(client !== undefined && { focus: 'items.0.productName' }),
      });
    },
  }),
  page({
    method: 'POST',
    path: NEW_PATH,
    access,
    handle: (request) =>
      edited(request, {
        save: async (fields) => {
          const { id } = await request.call('createQuote', { body: creationFrom(fields), key: request.form.key });
          return { redirectTo: `/app/quotes/${id}?notice=quote_created` };
        },
      }),
  }),
  page({
    method: 'GET',
    path: `${NEW_PATH}/clients`,
    access: 'clients:read',
    handle: async (request) => {
      const { clientSearch = '', of } = request.query;
      return clientsPage(await searchClients(request, clientSearch), actionOf(of));
    },
  }),
  page({
    method: 'GET',
    path: `${NEW_PATH}/products`,
    access: 'products:read',
    handle: async (request) => {
      const { row: text = '0', of } = request.query;
      const row = /^\d{1,3}$/.test(text) ? Number(text) : 0;
      const search = request.query[`items.${row}.productName`] ?? '';
      return productsPage(await searchProducts(request, { row, search }), actionOf(of));
    },
  }),
  page({
    method: 'POST',
    path: `${NEW_PATH}/totals`,
    access,
    handle: (request) => shownTotals(request, undefined),
  }),
  page({
    method: 'GET',
    path: REVISE_PATH,
    access,
    feature,
    handle: async (request) => {
      const { body: quote, tag } = await request.callWithTag('getQuote', {
        params: { id: request.params['id'] ?? '' },
      });
      if (isFinal(quote.status)) return notRevisablePage({ ...quote, status: STATUSES[quote.status].label });
      return shownEditor(request, newForm(revisionFields(quote), tag), { revised: quote });
    },
  }),
  page({
    method: 'POST',
    path: REVISE_PATH,
    access,
    feature,
    handle: async (request) => {
      const params = { id: request.params['id'] ?? '' };
      const { body: quote, tag } = await request.callWithTag('getQuote', { params });
      return edited(request, {
        revised: { quote, tag },
        save: async (fields) => {
          const { key, tag: opened } = request.form;
          await request.call('reviseQuote', { params, body: revisionFrom(fields, quote), key, tag: opened });
          return { redirectTo: `/app/quotes/${quote.id}?notice=quote_revised` };
        },
      });
    },
  }),
  page({
    method: 'POST',
    path: `${REVISE_PATH}/totals`,
    access,
    feature,
    handle: (request) => shownTotals(request, request.params['id']),
  }),
];

const actionOf = (quoteId: string | undefined): string =>
  quoteId === undefined ? NEW_PATH : revisePath(encodeURIComponent(quoteId));

async function shownTotals(request: EditorRequest, quoteId: string | undefined) {
  const { fields } = request.form;
  return totalsPage(await totalsView(request, fields, quoteId), rowsOnPage(fields));
}

function rowsOnPage(fields: Fields): readonly number[] {
  const count = rowsOf(fields).length;
  const from = (Number(valueOf({ fields }, 'page')) - 1) * LINES_ON_PAGE;
  if (!Number.isInteger(from) || from < 0) return [];
  return Array.from({ length: Math.max(0, Math.min(LINES_ON_PAGE, count - from)) }, (_, index) => from + index);
}
