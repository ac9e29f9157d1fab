import type { Fields } from '../../../../console/forms/form-state.ts';
import { valueOf } from '../../../../console/forms/form-state.ts';
import type { FoundClients, FoundProducts, LinesView } from '../../../../console/quotes/editor/view.ts';
import { LINES_ON_PAGE } from '../../../../console/quotes/editor/view.ts';
import type { Calls } from '../../call.ts';
import { taxChoices } from './fields.ts';
import { emptyRow, padded, pageOfRow, type Row, rowsOf, withRows } from './rows.ts';
import { searchClients, searchProducts } from './search.ts';

/** The form after one of its buttons, and what the page shows beside it. Nothing is stored. */
export interface Changed {
  readonly fields: Fields;
  readonly page?: number;
  readonly focus?: string;
  readonly catalogue?: FoundProducts;
  readonly clients?: FoundClients;
  readonly priceHint?: LinesView['priceHint'];
}

const CLIENT_FIELDS = /^(newClient\.|clientSearch$|clientKey$)/;

export const withClient = (fields: Fields, id: string): Fields =>
  new Map([...[...fields].filter(([name]) => !CLIENT_FIELDS.test(name)), ['clientId', [id]]]);

/** @param action the button: `add`, `remove.3`, `pick.3.<product>` */
export async function changed(calls: Calls, fields: Fields, action: string): Promise<Changed> {
  const [verb = '', argument = '', id = ''] = action.split('.');
  const rows = rowsOf(fields);
  const row = Number(argument);
  const withLines = (lines: readonly Row[], focused: number, member: string): Changed => ({
    fields: withRows(fields, padded(lines)),
    page: pageOfRow(focused),
    focus: `items.${focused}.${member}`,
  });
  const isLine = Number.isInteger(row) && row >= 0 && row < rows.length;
  switch (verb) {
    case 'add':
      return withLines([...rows, emptyRow(rows.at(-1))], rows.length, 'productName');
    case 'page':
      return { fields, page: row, focus: `items.${(row - 1) * LINES_ON_PAGE}.productName` };
    case 'client-change':
      return { fields: withClient(fields, ''), clients: await searchClients(calls, '') };
    case 'client-pick':
      return { fields: withClient(fields, argument), focus: 'clientId' };
    case 'client-search':
    case 'calculate': {
      const search = valueOf({ fields }, 'clientSearch');
      const isSearch = verb === 'client-search' || (search !== '' && valueOf({ fields }, 'clientId') === '');
      return { fields, ...(isSearch && { clients: await searchClients(calls, search) }) };
    }
  }
  if (!isLine) return { fields };
  switch (verb) {
    case 'remove':
      return withLines(rows.toSpliced(row, 1), Math.max(0, Math.min(row, rows.length - 2)), 'productName');
    case 'up':
      return row === 0 ? { fields } : withLines(swapped(rows, row - 1), row - 1, row === 1 ? 'down' : 'up');
    case 'down':
      return row === rows.length - 1
        ? { fields }
        : withLines(swapped(rows, row), row + 1, row === rows.length - 2 ? 'up' : 'down');
    case 'search': {
      const search = valueOf({ fields }, `items.${row}.productName`);
      const catalogue = await searchProducts(calls, { row, search });
      return { fields, page: pageOfRow(row), catalogue, focus: `items.${row}.productName` };
    }
    case 'pick':
      return picked(calls, fields, { row, productId: id });
    default:
      return { fields };
  }
}

/** The row and the one after it change places. */
const swapped = (rows: readonly Row[], row: number): readonly Row[] =>
  rows.toSpliced(row, 2, ...rows.slice(row, row + 2).toReversed());

/** Fills a line in from the catalogue: all of it is visible, and stored as it is then. */
async function picked(
  { call }: Calls,
  fields: Fields,
  { row, productId }: { row: number; productId: string },
): Promise<Changed> {
  const product = await call('getProduct', { params: { id: productId } });
  const currency = valueOf({ fields }, 'currency');
  const isSameCurrency = currency === '' || currency === product.currency;
  const rows = rowsOf(fields);
  const filled = new Map([
    ...(rows[row] ?? emptyRow()),
    ['productId', [product.id]],
    ['productName', [product.name]],
    ['model', [product.modelSku ?? '']],
    ['description', [product.description ?? '']],
    ['unit', [product.unit ?? '']],
    ['taxes', taxChoices(product.taxes)],
    ['unitPrice', [isSameCurrency ? product.unitPrice : '']],
  ]);
  return {
    fields: withRows(fields, rows.with(row, filled)),
    page: pageOfRow(row),
    focus: `items.${row}.quantity`,
    ...(!isSameCurrency && {
      priceHint: { row, text: `En el catálogo: ${product.unitPrice} ${product.currency}. Escríbalo en ${currency}.` },
    }),
  };
}
