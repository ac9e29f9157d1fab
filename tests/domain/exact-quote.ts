/**
 * A second, independent implementation of the amounts of quotes with taxes, options and discounts: exact fractions of
 * BigInt, no decimal library. Text in and text out.
 */

interface Fraction {
  readonly top: bigint;
  readonly bottom: bigint;
}

const ZERO: Fraction = { top: 0n, bottom: 1n };

const fraction = (decimal: string): Fraction => {
  const [whole = '', decimals = ''] = decimal.split('.');
  return { top: BigInt(whole + decimals), bottom: 10n ** BigInt(decimals.length) };
};
const plus = (a: Fraction, b: Fraction): Fraction => ({
  top: a.top * b.bottom + b.top * a.bottom,
  bottom: a.bottom * b.bottom,
});
const minus = (a: Fraction, b: Fraction): Fraction => plus(a, { top: -b.top, bottom: b.bottom });
const times = (a: Fraction, b: Fraction): Fraction => ({ top: a.top * b.top, bottom: a.bottom * b.bottom });

/** Half away from zero. */
const rounded = ({ top, bottom }: Fraction, places: number): Fraction => {
  const unit = 10n ** BigInt(places);
  const size = top < 0n ? -top : top;
  const half = (2n * size * unit + bottom) / (2n * bottom);
  return { top: top < 0n ? -half : half, bottom: unit };
};

/** Exactly `places` digits after the point. */
const text = (value: Fraction, places: number): string => {
  const { top } = rounded(value, places);
  const digits = String(top < 0n ? -top : top).padStart(places + 1, '0');
  const shown = `${digits.slice(0, -places)}.${digits.slice(-places)}`;
  return top < 0n ? `-${shown}` : shown;
};

/** What is left after a discount in percent. */
const left = (percent: string): Fraction => minus({ top: 1n, bottom: 1n }, times(fraction(percent), { top: 1n, bottom: 100n })); // prettier-ignore

export interface ExactLine {
  readonly unitPrice: string;
  readonly quantity: string;
  readonly discountPct: string;
  /** Null: the default tax. */
  readonly taxes: readonly string[] | null;
  readonly optional: boolean;
  readonly choice: string | null;
  readonly selected: boolean;
}

export interface ExactTax {
  readonly code: string;
  readonly kind: 'transfer' | 'withholding' | 'exempt';
  readonly rate: string;
}

export interface ExactTerms {
  readonly taxRate: string;
  readonly taxes: readonly ExactTax[];
  readonly shippingCost: string;
  readonly shippingTaxes: readonly string[];
  readonly discountPct: string;
  readonly places: number;
}

/** Whether each line counts. */
export const exactCounts = (lines: readonly ExactLine[]): readonly boolean[] =>
  lines.map((line, index) => {
    if (line.optional) return line.selected;
    if (line.choice === null) return true;
    const group = lines.filter(({ choice }) => choice === line.choice);
    return (group.find(({ selected }) => selected) ?? group[0]) === lines[index];
  });

/** All amounts of a quote, with two decimals, or three where the currency has three. */
export function exactQuote(lines: readonly ExactLine[], terms: ExactTerms) {
  const { places } = terms;
  const shown = Math.max(2, places);
  const full = lines.map(({ unitPrice, quantity }) => times(fraction(unitPrice), fraction(quantity)));
  const amounts = lines.map(({ discountPct }, index) =>
    rounded(times(times(full[index] ?? ZERO, left(discountPct)), left(terms.discountPct)), places),
  );
  const counts = exactCounts(lines);
  const sumOf = (values: readonly Fraction[], keep: (index: number) => boolean): Fraction =>
    values.reduce((sum, value, index) => (keep(index) ? plus(sum, value) : sum), ZERO);
  const subtotal = sumOf(amounts, (index) => counts[index] === true);
  const withoutDiscounts = sumOf(full.map((amount) => rounded(amount, places)), (index) => counts[index] === true); // prettier-ignore

  const all: readonly ExactTax[] = [{ code: 'DEFAULT', kind: 'transfer', rate: terms.taxRate }, ...terms.taxes];
  const taxes = all.flatMap(({ code, kind, rate }) => {
    const names = (index: number) => counts[index] === true && (lines[index]?.taxes ?? ['DEFAULT']).includes(code);
    const onShipping = terms.shippingTaxes.includes(code);
    if (!onShipping && !lines.some((_, index) => names(index))) return [];
    const base = plus(sumOf(amounts, names), onShipping ? fraction(terms.shippingCost) : ZERO);
    return [{ code, kind, base, amount: rounded(times(base, fraction(rate)), places) }];
  });
  const tax = taxes.reduce((sum, { kind, amount }) => (kind === 'withholding' ? minus(sum, amount) : plus(sum, amount)), ZERO); // prettier-ignore
  const total = plus(plus(subtotal, tax), fraction(terms.shippingCost));
  return {
    lines: amounts.map((amount) => text(amount, shown)),
    counts,
    subtotal: text(subtotal, shown),
    discount: text(minus(withoutDiscounts, subtotal), shown),
    taxes: taxes
      .map(({ code, base, amount }) => ({ code, base: text(base, shown), amount: text(amount, shown) }))
      .toSorted((a, b) => (a.code < b.code ? -1 : 1)),
    tax: text(tax, shown),
    total: text(total, shown),
  };
}
