import { Readable } from 'node:stream';
import { stringify } from 'csv-stringify';
import { assertNever } from '../../domain/assert-never.ts';
import type { Caller } from '../../domain/caller.ts';
import { moneyString } from '../../domain/money.ts';
import { dayOf, type TimeZone } from '../../domain/zone.ts';
import type { Deps } from '../deps.ts';
import { EXPORT_COLUMNS, type ExportColumn } from './export-columns.ts';
import type { ExportQuotes } from './list-schema.ts';
import type { ListedQuote } from './queries.ts';
import { streamQuotes } from './stream-quotes.ts';

/** Amounts stay numbers for spreadsheets, and moments are UTC. */
function cell(column: ExportColumn, row: ListedQuote, timeZone: TimeZone): string | number | null {
  switch (column.kind) {
    case 'money':
      return moneyString(column.of(row), row.currency);
    case 'moment':
      return column.of(row).toISOString();
    case 'day':
      return dayOf(column.of(row), timeZone);
    case 'text':
    case 'integer':
      return column.of(row);
    default:
      return assertNever(column);
  }
}

/**
 * The quotes as CSV (RFC 4180) for spreadsheets. A byte order mark makes Excel read UTF-8; an apostrophe before text
 * that looks like a formula prevents CSV injection.
 */
export async function exportQuotes(deps: Deps, caller: Caller, filter: ExportQuotes): Promise<Readable> {
  return deps.streams.open(caller.tenantId, () => csvOf(deps, caller, filter));
}

async function csvOf(deps: Deps, caller: Caller, filter: ExportQuotes): Promise<Readable> {
  const batches = await streamQuotes(deps, caller, { ...filter, now: deps.now() });
  const csv = stringify({
    bom: true,
    header: true,
    columns: EXPORT_COLUMNS.map(({ header }) => header),
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
  for await (const batch of batches) {
    yield* batch.map((row) => EXPORT_COLUMNS.map((column) => cell(column, row, timeZone)));
  }
}
