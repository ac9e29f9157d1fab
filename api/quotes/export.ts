import { Readable } from 'node:stream';
import { stringify } from 'csv-stringify';
import type { Caller } from '../../domain/caller.ts';
import { moneyString } from '../../domain/money.ts';
import { displayNumber } from '../../domain/quote-number.ts';
import { dayOf, type TimeZone } from '../../domain/zone.ts';
import type { Deps } from '../deps.ts';
import { streamQuotes } from './stream-quotes.ts';
import type { ExportQuotes } from './list-schema.ts';
import type { ListedQuote } from './queries.ts';

const COLUMNS = [
  'Número', 'Estado', 'Versión', 'Contacto', 'Empresa', 'Correo', 'Teléfono', 'Vendedor', 'Moneda', 'Subtotal',
  'Impuesto', 'Envío', 'Total', 'Partidas', 'Notas', 'Creada', 'Vence', 'Vigente hasta',
  'Número visible', 'Título', 'Referencia', 'Descuento',
] as const; // prettier-ignore

/** One row of the file, in the order of COLUMNS. */
const cells = (row: ListedQuote, timeZone: TimeZone) => [
  row.quoteNumber,
  row.status,
  row.version,
  row.client.contactName,
  row.client.companyName,
  row.client.email,
  row.client.phone,
  row.userName,
  row.currency,
  moneyString(row.subtotal, row.currency),
  moneyString(row.tax, row.currency),
  moneyString(row.shippingCost, row.currency),
  moneyString(row.total, row.currency),
  row.itemCount,
  row.notes,
  row.createdAt.toISOString(),
  row.expiresAt.toISOString(),
  dayOf(row.expiresAt, timeZone),
  displayNumber(row),
  row.title,
  row.reference,
  moneyString(row.discount, row.currency),
];

/**
 * The quotes as CSV (RFC 4180) for spreadsheets. A byte order mark makes Excel read UTF-8; an apostrophe before text
 * that looks like a formula prevents CSV injection. Amounts stay numbers.
 */
export async function exportQuotes(deps: Deps, caller: Caller, filter: ExportQuotes): Promise<Readable> {
  return deps.streams.open(caller.tenantId, () => csvOf(deps, caller, filter));
}

async function csvOf(deps: Deps, caller: Caller, filter: ExportQuotes): Promise<Readable> {
  const batches = await streamQuotes(deps, caller, { ...filter, now: deps.now() });
  const csv = stringify({
    bom: true,
    header: true,
    columns: [...COLUMNS],
    record_delimiter: 'windows',
    escape_formulas: true,
  });
  const rows = Readable.from(linesOf(batches, caller.timeZone));
  // pipe() does not forward errors: a failed read must abort the response, not end it as if it were complete.
  rows.on('error', (error) => csv.destroy(error));
  csv.on('close', () => rows.destroy());
  return rows.pipe(csv);
}

async function* linesOf(batches: AsyncIterable<readonly ListedQuote[]>, timeZone: TimeZone) {
  for await (const batch of batches) yield* batch.map((row) => cells(row, timeZone));
}
