import { type Deposit, depositProblem } from '../../domain/deposit.ts';
import { depositNotAllowed, invalidInput, taxCodesNotAllowed, totalOutOfRange } from '../../domain/errors.ts';
import { type DecimalInput, decimalString, MAX_TOTAL } from '../../domain/money.ts';
import { choiceProblems, countingLines, dearestSelection } from '../../domain/quote-options.ts';
import { quoteTotals, type QuoteTerms, type QuoteTotals, weightOf } from '../../domain/quote-totals.ts';
import { codeProblems, joinCodes, type TaxDefinition, type TaxOfQuote } from '../../domain/taxes.ts';

/** A line of a request body or of a stored quote. */
interface UnpricedLine {
  readonly productId?: string | null;
  readonly productName: string;
  readonly model?: string | null;
  readonly description?: string | null;
  readonly section?: string | null;
  readonly unit?: string | null;
  readonly unitPrice: DecimalInput;
  readonly quantity: number;
  readonly discountPct: DecimalInput;
  readonly taxes?: readonly string[] | null | undefined;
  readonly optional?: boolean;
  readonly choice?: string | null;
  readonly selected?: boolean;
}

/** What determines the amounts of a quote. */
export interface Unpriced {
  readonly items: readonly UnpricedLine[];
  readonly shippingCost: DecimalInput;
  readonly shippingTaxes?: readonly string[] | null | undefined;
  readonly discountPct?: DecimalInput | undefined;
  readonly deposit?: Deposit | null | undefined;
}

/** What applies to the quote whatever its lines are. */
export interface PricingContext {
  readonly taxRate: string;
  readonly currency: string;
  /** The default tax, which no line may name. */
  readonly defaultTax: TaxDefinition;
  /** The taxes that may be named, by code. */
  readonly taxes: ReadonlyMap<string, TaxDefinition>;
}

/** Columns and lines of a quote, with all amounts as the stored decimal strings. */
export interface PricedQuote {
  readonly amounts: {
    subtotal: string;
    tax: string;
    shippingCost: string;
    total: string;
    discount: string;
    discountPct: string;
    taxes: string;
    shippingTaxes: string | null;
  };
  readonly items: readonly PricedItem[];
}

export interface PricedItem {
  productId: string | null;
  productName: string;
  model: string | null;
  description: string | null;
  section: string | null;
  unit: string | null;
  unitPrice: string;
  quantity: number;
  discountPct: string;
  subtotal: string;
  taxes: string | null;
  optional: boolean;
  choice: string | null;
  counts: boolean;
}

/** Computes the amounts of a quote. Throws a 400 for codes, choices, totals or a deposit that are not allowed. */
export function priced(quote: Unpriced, context: PricingContext): PricedQuote {
  const { items, shippingCost, shippingTaxes, discountPct = 0, deposit } = quote;
  const { taxRate, currency, taxes: definitions } = context;
  const wrongChoices = choiceProblems(items);
  const wrongCodes = [
    ...items.flatMap(({ taxes }, index) => codeProblems(`items.${index}.taxes`, taxes ?? [], definitions)),
    ...codeProblems('shippingTaxes', shippingTaxes ?? [], definitions),
  ];
  if (wrongChoices.length > 0) throw invalidInput([...wrongChoices, ...wrongCodes]);
  if (wrongCodes.length > 0) throw taxCodesNotAllowed(wrongCodes);
  const counting = countingLines(items);
  const terms = { taxRate, shippingCost, currency, discountPct, shippingTaxes, definitions, counting };
  const totals = quoteTotals(items, terms);
  assertTotals(quote, totals, terms);
  const total = decimalString(totals.total);
  const problem = deposit && depositProblem(deposit, { total, currency });
  if (problem) throw depositNotAllowed(problem);
  return {
    amounts: {
      subtotal: decimalString(totals.subtotal),
      tax: decimalString(totals.tax),
      shippingCost: decimalString(totals.shippingCost),
      total,
      discount: decimalString(totals.discount),
      discountPct: decimalString(discountPct),
      taxes: JSON.stringify(frozenTaxes(quote, totals, context)),
      shippingTaxes: joinCodes(shippingTaxes),
    },
    items: items.map((item, i) => ({
      productId: item.productId || null,
      productName: item.productName,
      model: item.model || null,
      description: item.description || null,
      section: item.section || null,
      unit: item.unit || null,
      unitPrice: decimalString(item.unitPrice),
      quantity: item.quantity,
      discountPct: decimalString(item.discountPct),
      subtotal: decimalString(totals.lines[i] ?? 0),
      taxes: joinCodes(item.taxes),
      optional: item.optional ?? false,
      choice: item.choice || null,
      counts: counting[i] ?? true,
    })),
  };
}

/** The limits hold for the selection that costs most as well. */
function assertTotals({ items }: Unpriced, totals: QuoteTotals, terms: QuoteTerms): void {
  if (totals.total.isNegative() && !totals.total.isZero()) throw totalOutOfRange('el total no puede ser negativo');
  const hasOptions = items.some(({ optional, choice }) => optional || choice);
  const worth = () => totals.lines.map((amount, index) => amount.toNumber() * weightOf(items[index]?.taxes, terms));
  const dearest = hasOptions ? quoteTotals(items, { ...terms, counting: dearestSelection(items, worth()) }) : totals;
  const largest = [dearest.total, dearest.subtotal, totals.total, totals.subtotal];
  if (largest.some((amount) => amount.greaterThan(MAX_TOTAL)))
    throw totalOutOfRange(`el total debe ser menor o igual que ${MAX_TOTAL.toFixed(2)}`);
}

/** The taxes as they are stored: first those that apply, then those of lines that do not count. */
export function frozenTaxes(
  { items }: Pick<Unpriced, 'items'>,
  { taxes }: Pick<QuoteTotals, 'taxes'>,
  context: Pick<PricingContext, 'taxes' | 'defaultTax'>,
): readonly TaxOfQuote[] {
  const definitionOf = (code: string) => context.taxes.get(code) ?? context.defaultTax;
  const frozen = (of: string, base: string | null, amount: string | null): TaxOfQuote => {
    const { code, name, kind, rate } = definitionOf(of);
    return { code, name, kind, rate, base, amount };
  };
  const applied = taxes.map(({ code, base, amount }) => frozen(code, decimalString(base), decimalString(amount)));
  const named = new Set(taxes.map(({ code }) => code));
  const others = new Set(items.flatMap(({ taxes: codes }) => codes ?? [context.defaultTax.code]));
  return [...applied, ...[...others].filter((code) => !named.has(code)).map((code) => frozen(code, null, null))];
}
