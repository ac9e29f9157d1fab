import { type ExactTax, exactQuote } from '../domain/exact-quote.ts';

/** Checks amounts with exact fractions, which share nothing with the service's arithmetic. */

interface Line {
  readonly unitPrice: string | number;
  readonly quantity: number;
  readonly discountPct: string | number;
  readonly subtotal?: string | number;
  readonly taxes: readonly string[] | null;
  readonly optional: boolean;
  readonly choice: string | null;
  readonly selected: boolean;
  readonly counts: boolean;
}
interface Sums {
  readonly subtotal: string | number;
  readonly tax: string | number;
  readonly shippingCost: string | number;
  readonly total: string | number;
}
interface Quote extends Sums {
  readonly items: readonly Line[];
  readonly discount: string | number;
  readonly discountPct: string | number;
  readonly taxRate?: string | number;
  readonly shippingTaxes: readonly string[] | null;
  readonly taxes: readonly (Omit<ExactTax, 'rate'> & { readonly rate: string | number } & {
    readonly base: string | number;
    readonly amount: string | number;
  })[];
}

interface Checked {
  readonly problems: readonly string[];
  /** Quotes whose amounts were all recomputed from their lines. */
  readonly quotes: number;
}

/** All wrong amounts in a value, at any depth. All amounts have two decimals. */
export function amountProblems(value: unknown, path: string): Checked {
  if (typeof value !== 'object' || value === null) return { problems: [], quotes: 0 };
  const inner = Object.entries(value).map(([name, member]) => amountProblems(member, `${path}/${name}`));
  const own = isQuote(value) ? quoteProblems(value) : [];
  const sums = hasSums(value) ? sumProblems(value) : [];
  return {
    problems: [
      ...[...sums, ...own].map((problem) => `${path}: ${problem}`),
      ...inner.flatMap(({ problems }) => problems),
    ],
    quotes: inner.reduce((sum, { quotes }) => sum + quotes, isQuote(value) ? 1 : 0),
  };
}

const hasSums = (value: object): value is Sums =>
  ['subtotal', 'tax', 'shippingCost', 'total'].every((name) => name in value);
/** A preview repeats nothing of its lines, so that only its sums are checked. */
const isQuote = (value: object): value is Quote =>
  hasSums(value) &&
  ['discount', 'discountPct', 'shippingTaxes', 'taxes'].every((name) => name in value) &&
  'items' in value &&
  Array.isArray(value.items) &&
  value.items.every((item: object) => 'unitPrice' in item);

const cents = (amount: string | number): bigint => BigInt(Number(amount).toFixed(2).replace('.', ''));

function sumProblems({ subtotal, tax, shippingCost, total }: Sums): readonly string[] {
  const sum = cents(subtotal) + cents(tax) + cents(shippingCost);
  return sum === cents(total) ? [] : [`total ${total} is not ${subtotal} + ${tax} + ${shippingCost}`];
}

function quoteProblems(quote: Quote): readonly string[] {
  const exact = exactQuote(
    quote.items.map((line) => ({
      ...line,
      unitPrice: String(line.unitPrice),
      quantity: String(line.quantity),
      discountPct: String(line.discountPct),
    })),
    {
      // The client's page does not show the rate; its default tax does.
      taxRate: String(quote.taxRate ?? quote.taxes.find(({ code }) => code === 'DEFAULT')?.rate ?? 0),
      taxes: quote.taxes
        .filter(({ code }) => code !== 'DEFAULT')
        .map(({ code, kind, rate }) => ({ code, kind, rate: String(rate) })),
      shippingCost: String(quote.shippingCost),
      shippingTaxes: quote.shippingTaxes ?? [],
      discountPct: String(quote.discountPct),
      places: 2,
    },
  );
  const pairs: (readonly [what: string, shown: string | number, expected: string])[] = [
    ...quote.items.flatMap(({ subtotal }, index) =>
      subtotal === undefined ? [] : [[`line ${index}`, subtotal, exact.lines[index] ?? ''] as const],
    ),
    ['subtotal', quote.subtotal, exact.subtotal],
    ['discount', quote.discount, exact.discount],
    ['tax', quote.tax, exact.tax],
    ['total', quote.total, exact.total],
    ...exact.taxes.map(
      ({ code, amount }) => [code, quote.taxes.find((tax) => tax.code === code)?.amount ?? '', amount] as const,
    ),
  ];
  return pairs
    .filter(([, shown, expected]) => cents(shown) !== cents(expected))
    .map(([what, shown, expected]) => `${what} is ${shown}, not ${expected}`);
}
