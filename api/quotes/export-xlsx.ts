import { Readable } from 'node:stream';
import { ChildUnavailable, LimitExceeded } from '../../adapters/child-process/run-job.ts';
import type { SheetCell } from '../../adapters/spreadsheets/xlsx-file.ts';
import { assertNever } from '../../domain/assert-never.ts';
import type { Caller } from '../../domain/caller.ts';
import { exportTooLarge, unavailable } from '../../domain/errors.ts';
import { minorUnits } from '../../domain/money.ts';
import { dayOf, localTime, type TimeZone } from '../../domain/zone.ts';
import type { Deps } from '../deps.ts';
import { EXPORT_COLUMNS, type ExportColumn } from './export-columns.ts';
import type { ExportQuotes } from './list-schema.ts';
import { countQuotes, type ListedQuote } from './queries.ts';
import { streamQuotes } from './stream-quotes.ts';

/** The file is built in memory, by a process with limits; a CSV file has no limit of rows. */
export const MAX_XLSX_ROWS = 5_000;

/** The quotes as an XLSX file with the columns of the CSV file. Complete before the response begins. */
export async function exportXlsx(
  deps: Deps,
  caller: Caller,
  { filter, signal }: { readonly filter: ExportQuotes; readonly signal: AbortSignal },
): Promise<Readable> {
  return deps.streams.open(caller.tenantId, async () => Readable.from([await xlsxOf(deps, caller, filter, signal)]));
}

async function xlsxOf(deps: Deps, caller: Caller, query: ExportQuotes, signal: AbortSignal) {
  const { tenantId, timeZone } = caller;
  const filter = { ...query, now: deps.now() };
  const count = await deps.withTenant(tenantId, (trx) => countQuotes(trx, caller, filter));
  if (count > MAX_XLSX_ROWS) throw exportTooLarge(count, MAX_XLSX_ROWS);
  try {
    const batches = rowsOf(await streamQuotes(deps, caller, filter), timeZone);
    return await deps.spreadsheets.write({ columns: EXPORT_COLUMNS.map(headed), batches }, { key: tenantId, signal });
  } catch (error) {
    throw error instanceof ChildUnavailable || error instanceof LimitExceeded ? unavailable(error) : error;
  }
}

const headed = ({ header, width }: ExportColumn) => ({ header, width });

async function* rowsOf(batches: AsyncIterable<readonly ListedQuote[]>, timeZone: TimeZone) {
  for await (const batch of batches) {
    yield batch.map((row) => EXPORT_COLUMNS.map((column) => cell(column, row, timeZone)));
  }
}

function cell(column: ExportColumn, row: ListedQuote, timeZone: TimeZone): SheetCell {
  switch (column.kind) {
    case 'text':
      return column.of(row);
    case 'integer':
      return { number: column.of(row), decimals: 0 };
    case 'money':
      // At most 15 digits, which a spreadsheet's number holds exactly.
      return { number: Number(column.of(row)), decimals: minorUnits(row.currency) };
    case 'moment':
      return { date: clockTime(column.of(row), timeZone), hasTime: true };
    case 'day':
      return { date: new Date(dayOf(column.of(row), timeZone)), hasTime: false };
    default:
      return assertNever(column);
  }
}

/** What clocks of the zone show, as UTC: dates of spreadsheets have no zone. */
function clockTime(at: Date, timeZone: TimeZone): Date {
  const { year, month, day, time } = localTime(at, timeZone);
  return new Date(`${[String(year).padStart(4, '0'), pad(month), pad(day)].join('-')}T${time}Z`);
}

const pad = (number: number): string => String(number).padStart(2, '0');
