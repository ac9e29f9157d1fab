import { invalidInput } from '../../domain/errors.ts';
import { type DecimalInput, decimalString, MAX_TOTAL, quoteTotals } from '../../domain/money.ts';

/** Lines and shipping of a request body or of a stored quote. */
export interface Unpriced {
  readonly items: readonly {
    readonly productId?: string | null;
    readonly productName: string;
    readonly model?: string | null;
    readonly unitPrice: DecimalInput;
    readonly quantity: number;
    readonly discountPct: DecimalInput;
  }[];
  readonly shippingCost: DecimalInput;
}

/** Columns and lines of a quote, with all amounts as the stored decimal strings. */
export interface PricedQuote {
  readonly amounts: { subtotal: string; tax: string; shippingCost: string; total: string };
  readonly items: readonly {
    productId: string | null;
    productName: string;
    model: string | null;
    unitPrice: string;
    quantity: number;
    discountPct: string;
    subtotal: string;
  }[];
}

/** Computes the amounts of a quote. Throws a 400 if the total is too large. */
export function priced(
  { items, shippingCost }: Unpriced,
  { taxRate, currency }: { taxRate: string; currency: string },
): PricedQuote {
  const totals = quoteTotals(items, { taxRate, shippingCost, currency });
  if (totals.total.greaterThan(MAX_TOTAL)) {
    const message = `el total debe ser menor o igual que ${MAX_TOTAL.toFixed(2)}`;
    throw invalidInput([{ path: 'items', message }]);
  }
  return {
    amounts: {
      subtotal: decimalString(totals.subtotal),
      tax: decimalString(totals.tax),
      shippingCost: decimalString(totals.shippingCost),
      total: decimalString(totals.total),
    },
    items: items.map((item, i) => ({
      productId: item.productId || null,
      productName: item.productName,
      model: item.model || null,
      unitPrice: decimalString(item.unitPrice),
      quantity: item.quantity,
      discountPct: decimalString(item.discountPct),
      subtotal: decimalString(totals.lines[i] ?? 0),
    })),
  };
}
