import type { Signature } from '../../db/models/signature.ts';
import { asFullQuote, type FullQuote } from '../../db/reads/full-quote.ts';
import { depositWithin } from '../../domain/deposit.ts';
import { alreadyAnswered, selectionNotAllowed } from '../../domain/errors.ts';
import { decimalString, MAX_TOTAL, moneyString } from '../../domain/money.ts';
import { judgeAnswer } from '../../domain/portal.ts';
import { isSelected } from '../../domain/quote-options.ts';
import { countingUnder, hasOptions, isSameSelection, withPreset } from '../../domain/quote-selection.ts';
import { quoteTotals } from '../../domain/quote-totals.ts';
import { DEFAULT_CODE, defaultTax, taxesOfQuote } from '../../domain/taxes.ts';
import { frozenTaxes } from '../quotes/pricing.ts';
import { storedTerms } from '../quotes/stored-terms.ts';
import type { PortalQuote } from './find.ts';

/** What the client selects of a version; without ids it is the seller's preset. */
interface Selection {
  readonly version: number;
  readonly selectedItemIds?: readonly string[];
}

/**
 * The quote as the client selected it; the same object if that is the seller's preset, or the selection of an earlier
 * acceptance. Throws if the quote cannot be answered, or was accepted with another selection.
 */
export function selectedQuote(
  { quote, signature }: Pick<PortalQuote, 'quote' | 'signature'>,
  { version, selectedItemIds }: Selection,
  now: Date,
): { readonly isNew: boolean; readonly quote: FullQuote } {
  const isNew = judgeAnswer(quote, { outcome: 'ACCEPTED', version }, now) === 'new';
  if (isNew) return { isNew, quote: withSelection(quote, selectedItemIds) };
  assertSameSelection({ quote, signature }, selectedItemIds);
  return { isNew, quote };
}

/** Compares a repeated acceptance with the first one, by the preset that both started from. */
function assertSameSelection(
  { quote: { items }, signature }: Pick<PortalQuote, 'quote' | 'signature'>,
  ids: readonly string[] | undefined,
): void {
  if (!ids) return;
  const evidence = selectionOfSignature(signature);
  const offered = evidence ? withPreset(items, evidence.preset.items.map(({ id }) => id)) : items; // prettier-ignore
  if (!isSameSelection(countingUnder(offered, ids), countingOf(items))) throw alreadyAnswered();
}

const countingOf = (items: FullQuote['items']): readonly boolean[] => items.map(({ counts }) => counts);

/** The quote with the amounts of a selection. Throws a 400 for a selection that is not allowed. */
export function withSelection(quote: FullQuote, ids: readonly string[] | undefined): FullQuote {
  if (!ids) return quote;
  const counting = countingUnder(quote.items, ids);
  if (isSameSelection(counting, countingOf(quote.items))) return quote;

  const terms = storedTerms(quote);
  const { taxRate, currency } = quote;
  const definitions = new Map(taxesOfQuote(quote).map((tax) => [tax.code, definitionOf(tax)]));
  const totals = quoteTotals(terms.items, { ...terms, taxRate, currency, definitions, counting });
  if (totals.total.isNegative() && !totals.total.isZero()) throw refused('el total no puede ser negativo');
  // The preset was checked for the selection with the highest total; a subtotal can be higher than that.
  if (totals.total.greaterThan(MAX_TOTAL) || totals.subtotal.greaterThan(MAX_TOTAL))
    throw refused(`el total debe ser menor o igual que ${MAX_TOTAL.toFixed(2)}`);

  const taxes = frozenTaxes(terms, totals, {
    taxes: definitions,
    defaultTax: definitions.get(DEFAULT_CODE) ?? defaultTax(taxRate, 'MX'),
  });
  const selected = Object.assign(quote.$clone(), {
    subtotal: decimalString(totals.subtotal),
    discount: decimalString(totals.discount),
    taxes: JSON.stringify(taxes),
    tax: decimalString(totals.tax),
    total: decimalString(totals.total),
    deposit: terms.deposit ? JSON.stringify(depositWithin(terms.deposit, totals.total)) : null,
  });
  for (const [index, item] of (selected.items ?? []).entries()) item.counts = counting[index] ?? item.counts;
  return asFullQuote(selected);
}

const refused = (message: string) => selectionNotAllowed([{ path: 'selectedItemIds', message }]);

const definitionOf = ({ code, name, kind, rate }: ReturnType<typeof taxesOfQuote>[number]) => ({
  code,
  name,
  kind,
  rate,
});

/** The columns of a quote that depend on the selection. */
export const amountsOf = ({ subtotal, discount, taxes, tax, total, deposit }: FullQuote) => ({
  subtotal,
  discount,
  taxes,
  tax,
  total,
  deposit,
});

/** What the seller had preset and what the client selected, as the evidence keeps it. */
export interface SelectionEvidence {
  readonly preset: SelectedLines;
  readonly selected: SelectedLines;
}

interface SelectedLines {
  readonly items: readonly { readonly id: string; readonly productName: string; readonly choice: string | null }[];
  readonly total: string;
}

/** Null for a quote without options. */
export const selectionEvidence = (preset: FullQuote, selected: FullQuote): SelectionEvidence | null =>
  hasOptions(preset.items) ? { preset: linesOf(preset), selected: linesOf(selected) } : null;

const linesOf = ({ items, total, currency }: FullQuote): SelectedLines => ({
  items: items.filter(isSelected).map(({ id, productName, choice }) => ({ id, productName, choice })),
  total: moneyString(total, currency),
});

/** Null in signatures of quotes without options, and in older ones. Only `freezeSigned` writes the column. */
export const selectionOfSignature = (signature: Pick<Signature, 'selection'> | undefined): SelectionEvidence | null =>
  signature?.selection ? (JSON.parse(signature.selection) as SelectionEvidence) : null;
