import { setImmediate as letOthersRun } from 'node:timers/promises';
import type { Table, TableRow } from '../../adapters/spreadsheets/table.ts';
import { ServiceError } from '../../domain/errors.ts';
import { isFormula, readCodes, readDecimal } from '../../domain/import-columns.ts';
import {
  IMPORT_KEYS,
  type ImportContent,
  type ImportKind,
  type ImportProblem,
  type ImportRow,
  type ImportValues,
  MAX_IMPORT_PROBLEMS,
  type ProductValues,
} from '../../domain/imports.ts';
import { decimalString } from '../../domain/money.ts';
import { featureNotInPlan, hasFeature, type Plan } from '../../domain/plans.ts';
import type { TaxDefinition } from '../../domain/taxes.ts';
import { CreateClient } from '../clients/schema.ts';
import { clientValues } from '../clients/write.ts';
import { productTaxes } from '../products/business.ts';
import { CreateProduct } from '../products/schema.ts';
import { bodyCheck } from '../validation.ts';

/** Rows after which other requests are served. */
const PAUSE_ROWS = 200;

const clientBody = bodyCheck(CreateClient);
const productBody = bodyCheck(CreateProduct);

/** What a row's validity depends on. */
export interface RowContext {
  readonly plan: Plan;
  /** The business's. */
  readonly currency: string;
  readonly taxes: ReadonlyMap<string, TaxDefinition>;
}

/** The rules of POST for one row of each kind; throws a ServiceError. */
const VALUES_OF: {
  readonly [Kind in ImportKind]: (body: Record<string, unknown>, context: RowContext) => ImportValues[Kind];
} = {
  clients: (body) => clientValues(clientBody(body)),
  products: (body, context) => productValues(productBody(body), context),
};

function productValues(body: CreateProduct, { plan, currency: own, taxes }: RowContext): ProductValues {
  const currency = body.currency ?? own;
  if (currency !== own && !hasFeature(plan, 'multi_currency')) {
    const { message } = featureNotInPlan('multi_currency');
    throw featureNotInPlan('multi_currency', [{ path: 'currency', message }]);
  }
  return {
    name: body.name,
    modelSku: body.modelSku || null,
    description: body.description || null,
    unitPrice: decimalString(body.unitPrice),
    currency,
    unit: body.unit || null,
    taxes: productTaxes(body.taxes, { taxes }),
  };
}

/** Checks each row by the rules of POST, up to the last problem that a report has. */
export async function checkRows(
  kind: ImportKind,
  table: Table,
  context: RowContext,
): Promise<{ readonly content: ImportContent; readonly problems: readonly ImportProblem[] }> {
  const rows: ImportRow[] = [];
  const problems: ImportProblem[] = [];
  const ragged = new Map(table.problems.map((problem) => [problem.row, problem]));
  for (const [i, row] of table.rows.entries()) {
    if (problems.length >= MAX_IMPORT_PROBLEMS) break;
    if (i % PAUSE_ROWS === PAUSE_ROWS - 1) await letOthersRun();
    // In a row with a cell too many or too few, cells may be in the wrong columns.
    const wrongCells = ragged.get(row.row);
    const checked = wrongCells ? [wrongCells] : checkRow(kind, table, row, context);
    if (Array.isArray(checked)) problems.push(...checked);
    else rows.push({ row: row.row, values: checked as ImportValues[ImportKind] });
  }
  const keyColumn = table.columns.find(({ member }) => member === IMPORT_KEYS[kind].member)?.header ?? null;
  return { content: { keyColumn, rows }, problems: problems.slice(0, MAX_IMPORT_PROBLEMS) };
}

/** The values of the row, or its problems. */
function checkRow(
  kind: ImportKind,
  { columns }: Table,
  { row, cells }: TableRow,
  context: RowContext,
): ImportValues[ImportKind] | readonly ImportProblem[] {
  const body: Record<string, unknown> = {};
  const problems: ImportProblem[] = [];
  for (const [i, { member, header, type }] of columns.entries()) {
    const cell = cells[i] ?? '';
    if (cell === '') continue;
    const value = type === 'decimal' ? readDecimal(cell) : type === 'codes' ? readCodes(cell) : cell;
    if (isFormula(cell)) problems.push({ row, column: header, message: 'no se admiten fórmulas; escriba el valor' });
    else if (type === 'decimal' && typeof value === 'string') problems.push({ row, column: header, message: value });
    else body[member] = value;
  }
  if (problems.length > 0) return problems;
  try {
    return VALUES_OF[kind](body, context);
  } catch (error) {
    if (!(error instanceof ServiceError) || !error.details) throw error;
    // Of one of several codes, the path is that of the code.
    const headerOf = (path: string) => columns.find(({ member }) => member === path.split('.')[0])?.header ?? null;
    return error.details.map(({ path, message }) => ({ row, column: headerOf(path), message }));
  }
}
