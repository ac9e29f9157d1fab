import { exportTooLarge } from '../../domain/errors.ts';
import type { Deps } from '../deps.ts';
import { type Route, route } from '../route.ts';
import { exportQuotes } from './export.ts';
import { exportXlsx, MAX_XLSX_ROWS } from './export-xlsx.ts';
import { ExportQuotes } from './list-schema.ts';

const tag = 'Quotes';
const XLSX = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet';

const fileHeaders = (contentType: string, filename: string) => ({
  'Content-Type': contentType,
  'Content-Disposition': `attachment; filename="${filename}"`,
  'Cache-Control': 'private, no-store',
});

export const quoteExportRoutes = (deps: Deps): readonly Route[] => [
  route({
    method: 'GET',
    path: '/api/quotes/export.csv',
    operationId: 'exportQuotesCsv',
    tag,
    summary: 'Exporta las cotizaciones como CSV',
    description:
      'Todas las que pasan los filtros de la lista, por número descendente, en UTF-8 con BOM. A un texto que una hoja ' +
      'de cálculo tomaría por fórmula se le antepone un apóstrofo.',
    access: 'quotes:read',
    query: ExportQuotes,
    responses: { 200: { description: 'El archivo', contentType: 'text/csv' } },
    handle: async ({ caller, query }) => ({
      status: 200,
      headers: fileHeaders('text/csv; charset=utf-8', 'cotizaciones.csv'),
      body: await exportQuotes(deps, caller, query),
    }),
  }),
  route({
    method: 'GET',
    path: '/api/quotes/export.xlsx',
    operationId: 'exportQuotesXlsx',
    tag,
    summary: 'Exporta las cotizaciones como XLSX',
    description:
      'Las mismas columnas y filtros que el CSV. Los importes son números y las fechas, fechas en la zona horaria del ' +
      `negocio; un texto nunca se interpreta como fórmula. Hasta ${MAX_XLSX_ROWS} cotizaciones; con más, filtre o use CSV.`,
    access: 'quotes:read',
    query: ExportQuotes,
    responses: { 200: { description: 'El archivo', contentType: XLSX } },
    refusals: [exportTooLarge(MAX_XLSX_ROWS + 1, MAX_XLSX_ROWS)],
    handle: async ({ caller, query, signal }) => ({
      status: 200,
      headers: fileHeaders(XLSX, 'cotizaciones.xlsx'),
      body: await exportXlsx(deps, caller, { filter: query, signal }),
    }),
  }),
];
