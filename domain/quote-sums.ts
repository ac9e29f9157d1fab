import { formatAmount, formatMoney, formatPercent, formatPercentPoints, formatQuantity } from './format.ts';
import { Decimal } from './money.ts';
import type { LineOfDrawing, QuoteDrawing, TaxOfDrawing } from './quote-drawing.ts';
import { DEFAULT_CODE } from './taxes.ts';
import { textsOf } from './texts/texts.ts';

/** What PDF and page print of sums, lines and sections, in the same words. */

/** What the rows above a total are made of. */
type Sums = Pick<QuoteDrawing, 'subtotal' | 'discount' | 'taxes' | 'shippingCost' | 'currency' | 'locale'> & {
  readonly business: Pick<QuoteDrawing['business'], 'country'>;
};

/** The rows above the total: label and amount. */
export function sumRows(drawing: Sums): readonly (readonly [label: string, amount: string])[] {
  const { subtotal, discount, taxes, shippingCost, currency, locale } = drawing;
  const { quote } = textsOf(locale);
  const amount = (decimal: string) => formatAmount(decimal, currency, locale);
  return [
    ...(discount
      ? [
          [quote.beforeDiscount, amount(discount.before)] as const,
          [
            quote.documentDiscount(formatPercentPoints(discount.percent, locale)),
            amount(negative(discount.amount)),
          ] as const,
        ]
      : []),
    [quote.subtotal, amount(subtotal)],
    ...taxes.map((tax) => [taxLabel(tax, drawing), amount(tax.kind === 'withholding' ? negative(tax.amount) : tax.amount)] as const), // prettier-ignore
    ...(new Decimal(shippingCost).isZero() ? [] : [[quote.shipping, amount(shippingCost)] as const]),
  ];
}

const negative = (decimal: string): string => new Decimal(decimal).negated().toFixed();

/** The name of a tax with its rate, unless the name has it already. */
function taxLabel(
  { code, name, kind, rate }: TaxOfDrawing,
  { locale, business }: Pick<Sums, 'locale' | 'business'>,
): string {
  const percent = formatPercent(rate, locale);
  if (code === DEFAULT_CODE) return textsOf(locale).quote.tax(percent, business.country);
  return kind === 'exempt' || name.includes('%') ? name : `${name} (${percent})`;
}

/** The deposit in one line, and its note. */
export function depositTexts({
  deposit,
  currency,
  locale,
}: Pick<QuoteDrawing, 'deposit' | 'currency' | 'locale'>): readonly string[] {
  if (!deposit) return [];
  const amount = formatMoney(deposit.amount, currency, locale);
  const sum = deposit.percent === null ? amount : `${amount} (${formatPercentPoints(deposit.percent, locale)})`;
  return [sum, ...(deposit.note ? [deposit.note] : [])];
}

/** "12.5 m²", or the number alone. */
export const quantityText = ({ quantity, unit }: LineOfDrawing, { locale }: Pick<QuoteDrawing, 'locale'>): string =>
  [formatQuantity(quantity, locale), unit].filter(Boolean).join(' ');

/** Whether an optional line or an alternative is part of the sums; null for other lines. */
export function choiceText(
  { optional, choice, counts }: LineOfDrawing,
  { locale }: Pick<QuoteDrawing, 'locale'>,
): string | null {
  const { quote } = textsOf(locale);
  if (optional) return counts ? quote.optional.counts : quote.optional.apart;
  if (choice === null) return null;
  return counts ? quote.alternative.counts(choice) : quote.alternative.apart(choice);
}

/** For each line the section that begins with it, and the subtotal of the one that ends with it. */
export function sectionsOf({ lines, currency, locale }: Pick<QuoteDrawing, 'lines' | 'currency' | 'locale'>): readonly {
  readonly begins: string | null;
  readonly ends: readonly [label: string, amount: string] | null;
}[] {
  const { quote } = textsOf(locale);
  let sum = new Decimal(0);
  return lines.map(({ section, amount, counts }, index) => {
    const isFirst = section !== lines[index - 1]?.section;
    if (isFirst) sum = new Decimal(0);
    if (counts) sum = sum.plus(amount);
    const isLast = section !== lines[index + 1]?.section;
    return {
      begins: isFirst ? section : null,
      ends:
        section !== null && isLast ? [quote.subtotalOf(section), formatAmount(sum.toFixed(), currency, locale)] : null,
    };
  });
}
