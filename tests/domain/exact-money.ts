/**
 * A second, independent implementation of the money rules to compare with: exact fractions of BigInt, no decimal
 * library. Text in and text out.
 */

interface Fraction {
  readonly top: bigint;
  readonly bottom: bigint;
}

const fraction = (decimal: string): Fraction => {
  const [whole = '', decimals = ''] = decimal.split('.');
  return { top: BigInt(whole + decimals), bottom: 10n ** BigInt(decimals.length) };
};
const plus = (a: Fraction, b: Fraction): Fraction => ({
  top: a.top * b.bottom + b.top * a.bottom,
  bottom: a.bottom * b.bottom,
});
const times = (a: Fraction, b: Fraction): Fraction => ({ top: a.top * b.top, bottom: a.bottom * b.bottom });

/** Half up: the floor of the doubled value plus one, halved. All our amounts are positive. */
const roundHalfUp = ({ top, bottom }: Fraction, places: number): Fraction => {
  const unit = 10n ** BigInt(places);
  return { top: (2n * top * unit + bottom) / (2n * bottom), bottom: unit };
};

/** Exactly `places` digits after the point. */
const toText = (value: Fraction, places: number): string => {
  const { top } = roundHalfUp(value, places);
  const digits = String(top).padStart(places + 1, '0');
  return places === 0 ? digits : `${digits.slice(0, -places)}.${digits.slice(-places)}`;
};

export interface OracleLine {
  readonly unitPrice: string;
  readonly quantity: number;
  readonly discountPct: string;
}

const exactLine = ({ unitPrice, quantity, discountPct }: OracleLine, places: number): Fraction => {
  const discount = fraction(discountPct);
  const kept = { top: 100n * discount.bottom - discount.top, bottom: 100n * discount.bottom };
  return roundHalfUp(times(times(fraction(unitPrice), { top: BigInt(quantity), bottom: 1n }), kept), places);
};

/** The amounts as responses show them: two decimals, three where the currency has three. */
export function exactQuote(
  lines: readonly OracleLine[],
  { taxRate, shippingCost, places }: { taxRate: string; shippingCost: string; places: number },
): { lines: string[]; subtotal: string; tax: string; total: string } {
  const shown = Math.max(2, places);
  const amounts = lines.map((line) => exactLine(line, places));
  const subtotal = amounts.reduce(plus, { top: 0n, bottom: 1n });
  const tax = roundHalfUp(times(subtotal, fraction(taxRate)), places);
  return {
    lines: amounts.map((amount) => toText(amount, shown)),
    subtotal: toText(subtotal, shown),
    tax: toText(tax, shown),
    total: toText(plus(plus(subtotal, tax), fraction(shippingCost)), shown),
  };
}
