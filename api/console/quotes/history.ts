import { evidencePage } from '../../../console/quotes/answer.ts';
import { historyPage } from '../../../console/quotes/history.ts';
import { runsPage } from '../../../console/quotes/runs-page.ts';
import { versionPage, versionsPage } from '../../../console/quotes/versions.ts';
import { routeNotFound } from '../../../domain/errors.ts';
import { page } from '../declaration.ts';
import { pageNumber, paramsOf, quoteOf } from './read.ts';

const PATH = '/app/quotes/:id';

/** What happened to a quote, its earlier versions, the evidence of its signature and its workflow executions. */
export const quoteHistoryPages = [
  page({
    method: 'GET',
    path: `${PATH}/history`,
    access: 'quotes:read',
    handle: async (request) => {
      const number = pageNumber(request.query['page']);
      const [quote, { data, totalPages }] = await Promise.all([
        quoteOf(request),
        request.call('listQuoteHistory', { params: paramsOf(request), query: { page: number, limit: 50 } }),
      ]);
      return historyPage({ quote, reader: request.caller, changes: data, page: number, totalPages });
    },
  }),
  page({
    method: 'GET',
    path: `${PATH}/versions`,
    access: 'quotes:read',
    handle: async (request) => {
      const [quote, { data }] = await Promise.all([
        quoteOf(request),
        request.call('listQuoteHistory', { params: paramsOf(request), query: { limit: 100 } }),
      ]);
      const revisions = data.filter(({ type }) => type === 'revised');
      return versionsPage({ quote, reader: request.caller, revisions });
    },
  }),
  page({
    method: 'GET',
    path: `${PATH}/versions/:version`,
    access: 'quotes:read',
    handle: async (request) => {
      const number = Number(request.params['version']);
      const quote = await quoteOf(request);
      if (!Number.isInteger(number) || number < 1 || number >= quote.version) throw routeNotFound();
      const [version] = await request.call('listQuoteVersions', {
        params: paramsOf(request),
        query: { version: number },
      });
      if (!version) throw routeNotFound();
      const linesPage = pageNumber(request.query['lines']);
      return versionPage({ quote, reader: request.caller, version, linesPage });
    },
  }),
  page({
    method: 'GET',
    path: `${PATH}/evidence`,
    access: 'quotes:read',
    handle: async (request) => {
      const [quote, evidence] = await Promise.all([
        quoteOf(request),
        request.call('getQuoteSignatureEvidence', { params: paramsOf(request) }),
      ]);
      return evidencePage({ quote, reader: request.caller, evidence });
    },
  }),
  page({
    method: 'GET',
    path: `${PATH}/runs`,
    access: 'quotes:read_all',
    handle: async (request) => {
      const [quote, runs] = await Promise.all([
        quoteOf(request),
        request.call('listQuoteRuns', { params: paramsOf(request) }),
      ]);
      return runsPage({ quote, reader: request.caller, runs });
    },
  }),
];
