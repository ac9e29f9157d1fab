import type { Fields } from '../../../../console/forms/form-state.ts';
import { money } from '../../../../console/figures.ts';
import type { TotalsView } from '../../../../console/quotes/editor/view.ts';
import { formatAmount, formatPercent } from '../../../../domain/format.ts';
import { Decimal } from '../../../../domain/money.ts';
import { depositTexts, sumRows } from '../../../../domain/quote-sums.ts';
import { lineAmount } from '../../../../domain/quote-totals.ts';
import { refusalOf, STATUS } from '../../../middleware/errors.ts';
import type { Calls } from '../../call.ts';
import type { BodyOf, ResultOf } from '../../operations.ts';
import { pricedPart } from './body.ts';

const LOCALE = 'es-MX';
const EMPTY_LINE = { productName: '-', unitPrice: 0, quantity: 1 } as const;

/** The amounts of a quote without lines: what the business gives a new one. */
export const quoteDefaults = ({ call }: Calls): Promise<ResultOf<'previewQuote'>> =>
  call('previewQuote', { body: { items: [EMPTY_LINE] } });

/** The totals of what is filled in so far. Lines without price or quantity do not count. */
export async function totalsView({ call }: Calls, fields: Fields, quoteId: string | undefined): Promise<TotalsView> {
  const { body, lines } = pricedPart(fields);
  const items = lines.length > 0 ? lines.map(({ item }) => ({ ...item, productName: '-' })) : [EMPTY_LINE];
  // Unchecked: the operation's own check follows.
  const given = { ...body, items } as unknown as BodyOf<'previewQuote'>;
  try {
    const preview = await call('previewQuote', { body: given, ...(quoteId !== undefined && { query: { quoteId } }) });
    return shownTotals(preview, lines);
  } catch (thrown) {
    const refusal = refusalOf(thrown);
    // Not of the values: the quote is missing, or too many requests.
    if (!refusal || (STATUS[refusal.kind] !== 400 && STATUS[refusal.kind] !== 403)) throw thrown;
    const message = refusal.details?.[0]?.message ?? refusal.message;
    const { currency } = body;
    return {
      currency: typeof currency === 'string' ? currency : '',
      sums: [],
      total: '',
      deposit: [],
      problem: `Todavía sin total: ${message}.`,
      amounts: new Map(),
      defaultTax: undefined,
    };
  }
}

function shownTotals(preview: ResultOf<'previewQuote'>, lines: ReturnType<typeof pricedPart>['lines']): TotalsView {
  const { currency, discountPct, taxes, deposit, subtotal, shippingCost, total } = preview;
  const counted = lines.map(({ row, item }, index) => ({
    row,
    amount: lineAmount({ ...item, discountPct: Number(item['discountPct'] ?? 0) }, currency),
    counts: preview.items[index]?.counts ?? true,
  }));
  const before = counted.filter(({ counts }) => counts).reduce((sum, { amount }) => sum.plus(amount), new Decimal(0));
  const drawing = {
    currency,
    locale: LOCALE,
    subtotal,
    shippingCost,
    taxes,
    discount:
      Number(discountPct) === 0
        ? null
        : { percent: discountPct, before: before.toFixed(), amount: before.minus(subtotal).toFixed() },
    // The Spanish name of the default tax is that of Mexico everywhere.
    business: { country: 'MX' },
    deposit: deposit && { ...deposit, percent: deposit.type === 'percent' ? deposit.value : null },
  } as const;
  return {
    currency,
    sums: sumRows(drawing),
    total: money(total, currency),
    deposit: depositTexts(drawing),
    problem: undefined,
    amounts: new Map(
      counted.map(({ row, amount, counts }) => [
        row,
        { amount: formatAmount(amount.toFixed(), currency, LOCALE), counts },
      ]),
    ),
    defaultTax: formatPercent(preview.taxRate, LOCALE),
  };
}
