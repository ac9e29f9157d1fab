import { Decimal, type DecimalInput, type Money, roundMoney } from './money.ts';
import { DEFAULT_CODE, type TaxDefinition, type TaxKind } from './taxes.ts';

/** One priced line: unit price before discounts, quantity, discount in percent (25 = 25 %). */
export interface PricedLine {
  readonly unitPrice: DecimalInput;
  readonly quantity: DecimalInput;
  readonly discountPct: DecimalInput;
  /** Codes; without any list the default tax. */
  readonly taxes?: readonly string[] | null | undefined;
}

/** What the amounts depend on besides the lines. */
export interface QuoteTerms {
  readonly currency: string;
  readonly shippingCost: DecimalInput;
  /** The rate of the default tax. 0.16 = 16 %. */
  readonly taxRate: DecimalInput;
  /** Of the document, in percent; not on shipping. */
  readonly discountPct?: DecimalInput | undefined;
  readonly shippingTaxes?: readonly string[] | null | undefined;
  /** All codes that lines and shipping name, except the default one. */
  readonly definitions?: ReadonlyMap<string, TaxDefinition> | undefined;
  /** For each line whether it counts; absent: all do. */
  readonly counting?: readonly boolean[] | undefined;
}

export interface TaxTotal {
  readonly code: string;
  readonly base: Money;
  readonly amount: Money;
}

export interface QuoteTotals {
  /** The amount of each line, in their order, also of those that do not count. */
  readonly lines: readonly Money[];
  readonly subtotal: Money;
  /** What both discounts take from the lines that count. */
  readonly discount: Money;
  /** By code, in the order in which lines and shipping name them. */
  readonly taxes: readonly TaxTotal[];
  readonly tax: Money;
  readonly shippingCost: Money;
  readonly total: Money;
}

const ZERO = new Decimal(0) as Money;
const HUNDRED = new Decimal(100);

// Each line is rounded before it is added, so that the lines a client sees on
// the PDF always add up to the subtotal printed under them.
/** quantity × unitPrice × (1 − line discount) × (1 − document discount), rounded once to the minor unit. */
export function lineAmount(
  line: Omit<PricedLine, 'taxes'>,
  currency: string,
  documentDiscountPct: DecimalInput = 0,
): Money {
  const kept = new Decimal(line.unitPrice).times(line.quantity).times(HUNDRED.minus(line.discountPct)).div(100);
  return roundMoney(
    documentDiscountPct === 0 ? kept : kept.times(HUNDRED.minus(documentDiscountPct)).div(100),
    currency,
  );
}

/**
 * Every amount of a quote. Of the returned values hold exactly: subtotal = Σ lines that count; base of a tax = Σ lines
 * that count and name it, plus shipping if that names it; tax = Σ transfers − Σ withholdings; total = subtotal + tax +
 * shipping.
 */
export function quoteTotals(lines: readonly PricedLine[], terms: QuoteTerms): QuoteTotals {
  const { currency, taxRate, definitions, counting, shippingTaxes } = terms;
  const discountPct = Number(terms.discountPct ?? 0) === 0 ? 0 : (terms.discountPct ?? 0);
  const shippingCost = new Decimal(terms.shippingCost) as Money;
  const amounts = lines.map((line) => lineAmount(line, currency, discountPct));
  const bases = new Map<string, Decimal>();
  const add = (code: string, amount: Decimal) => bases.set(code, (bases.get(code) ?? ZERO).plus(amount));
  let subtotal: Decimal = ZERO;
  let undiscounted: Decimal = ZERO;
  for (const [index, line] of lines.entries()) {
    if (counting && !counting[index]) continue;
    const amount = amounts[index] ?? ZERO;
    subtotal = subtotal.plus(amount);
    undiscounted = undiscounted.plus(isDiscounted(line, discountPct) ? fullAmount(line, currency) : amount);
    for (const code of line.taxes ?? [DEFAULT_CODE]) add(code, amount);
  }
  for (const code of shippingTaxes ?? []) add(code, shippingCost);

  const taxes = [...bases].map(([code, base]): TaxTotal & { readonly kind: TaxKind } => {
    const { rate, kind } =
      code === DEFAULT_CODE ? { rate: taxRate, kind: 'transfer' as const } : known(definitions, code);
    return { code, kind, base: base as Money, amount: roundMoney(base.times(rate), currency) };
  });
  const tax = taxes.reduce<Decimal>(
    (sum, { kind, amount }) => (kind === 'withholding' ? sum.minus(amount) : sum.plus(amount)),
    ZERO,
  );
  return {
    lines: amounts,
    subtotal: subtotal as Money,
    discount: undiscounted.minus(subtotal) as Money,
    taxes,
    tax: tax as Money,
    shippingCost,
    total: subtotal.plus(tax).plus(shippingCost) as Money,
  };
}

const fullAmount = ({ unitPrice, quantity }: PricedLine, currency: string): Decimal =>
  roundMoney(new Decimal(unitPrice).times(quantity), currency);

const isDiscounted = ({ discountPct }: PricedLine, documentDiscountPct: DecimalInput): boolean =>
  documentDiscountPct !== 0 || Number(discountPct) !== 0;

function known(definitions: ReadonlyMap<string, TaxDefinition> | undefined, code: string): TaxDefinition {
  const definition = definitions?.get(code);
  if (!definition) throw new Error(`the tax ${code} has no definition`);
  return definition;
}

/** The part of a total that a line with these taxes adds for each unit of its amount. */
export const weightOf = (
  taxes: readonly string[] | null | undefined,
  { taxRate, definitions }: Pick<QuoteTerms, 'taxRate' | 'definitions'>,
): number =>
  (taxes ?? [DEFAULT_CODE]).reduce((sum, code) => {
    if (code === DEFAULT_CODE) return sum + Number(taxRate);
    const { rate, kind } = known(definitions, code);
    return sum + (kind === 'withholding' ? -Number(rate) : Number(rate));
  }, 1);

/** An amount that a percentage of another one makes, rounded to the currency's minor unit. */
export const percentOf = (percent: DecimalInput, amount: DecimalInput, currency: string): Money =>
  roundMoney(new Decimal(amount).times(percent).div(100), currency);
