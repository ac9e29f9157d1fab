import type { FullQuote } from '../../db/reads/full-quote.ts';
import { decimalString } from '../../domain/money.ts';
import { isSelected } from '../../domain/quote-options.ts';
import { splitCodes } from '../../domain/taxes.ts';
import { storedFields } from './document-fields.ts';
import type { Unpriced } from './pricing.ts';

/** The lines and terms of a stored quote, to be priced again. */
export const storedTerms = (quote: FullQuote): Unpriced => ({
  items: quote.items.map((item) => ({
    productId: item.productId,
    productName: item.productName,
    model: item.model,
    description: item.description,
    section: item.section,
    unit: item.unit,
    unitPrice: item.unitPrice,
    quantity: item.quantity,
    discountPct: item.discountPct,
    taxes: splitCodes(item.taxes),
    optional: item.optional,
    choice: item.choice,
    selected: isSelected(item),
  })),
  shippingCost: quote.shippingCost,
  shippingTaxes: splitCodes(quote.shippingTaxes),
  discountPct: decimalString(quote.discountPct),
  deposit: storedFields(quote).deposit,
});
