import type { Fields } from '../../../../console/forms/form-state.ts';
import { UNTAXED } from '../../../../console/quotes/editor/view.ts';
import type { ResultOf } from '../../operations.ts';
import { padded, type Row, withRows } from './rows.ts';

/** The first fields of the form: of a new quote, of one from a template, and of a revision. */

type Quote = ResultOf<'getQuote'>;
type Template = ResultOf<'getTemplate'>;
type Line = Quote['items'][number] | Template['items'][number];

const text = (value: string | number | boolean | null | undefined): readonly string[] => [
  value === null || value === undefined ? '' : String(value),
];

/** A percentage, or nothing for 0. */
const percentOf = (value: string | number): readonly string[] =>
  Number(value) === 0 ? [''] : [String(value).replace(/\.?0+$/, (zeros) => (String(value).includes('.') ? '' : zeros))];

export const taxChoices = (codes: readonly string[] | null): readonly string[] =>
  codes === null ? [] : codes.length === 0 ? [UNTAXED] : codes;

const rowOf = (line: Line): Row =>
  new Map([
    ['row', ['1']],
    ['productId', text(line.productId)],
    ['productName', text(line.productName)],
    ['model', text(line.model)],
    ['description', text(line.description)],
    ['section', text(line.section)],
    ['unit', text(line.unit)],
    ['unitPrice', text(line.unitPrice)],
    ['quantity', text(line.quantity)],
    ['discountPct', percentOf(line.discountPct)],
    ['taxes', taxChoices(line.taxes)],
    ['optional', text(line.optional)],
    ['choice', text(line.choice)],
    ['selected', text(line.selected)],
  ]);

type Document = Pick<Quote, 'title' | 'terms' | 'internalNotes' | 'currency' | 'shippingTaxes' | 'notes'> & {
  readonly discountPct: string | number;
  readonly shippingCost: string | number;
  readonly deposit: { readonly type: string; readonly value: string | number; readonly note: string | null } | null;
};

const documentFields = (document: Document): Fields =>
  new Map([
    ['title', text(document.title)],
    ['currency', text(document.currency)],
    ['notes', text(document.notes)],
    ['terms', text(document.terms)],
    ['internalNotes', text(document.internalNotes)],
    ['discountPct', percentOf(document.discountPct)],
    ['shippingCost', Number(document.shippingCost) === 0 ? [''] : text(document.shippingCost)],
    ['shippingTaxes', document.shippingTaxes ?? []],
    ['deposit.type', text(document.deposit?.type)],
    ['deposit.value', text(document.deposit?.value)],
    ['deposit.note', text(document.deposit?.note)],
  ]);

/** What a new quote begins with. */
export const newQuoteFields = (
  defaults: Pick<ResultOf<'previewQuote'>, 'currency' | 'notes' | 'terms' | 'validUntil'>,
  template: Template | undefined,
): Fields => {
  const { currency, notes, terms, validUntil } = defaults;
  const own = template
    ? documentFields({ ...template, notes: template.notes ?? notes, terms: template.terms ?? terms })
    : new Map([
        ['currency', [currency]],
        ['notes', [notes]],
        ['terms', text(terms)],
      ]);
  return withRows(new Map([...own, ['validUntil', [validUntil]]]), padded((template?.items ?? []).map(rowOf)));
};

export const revisionFields = (quote: Quote): Fields =>
  withRows(
    new Map([
      ...documentFields(quote),
      ['clientId', [quote.client.id]],
      ['reference', text(quote.reference)],
      ['validUntil', [quote.validUntil]],
      ['version', [String(quote.version)]],
      ['attachmentIds', quote.attachments.map(({ id }) => id)],
      ...Object.entries(quote.metadata).flatMap(([name, value], row): [string, readonly string[]][] => [
        [`metadataRows.${row}.name`, [name]],
        [`metadataRows.${row}.value`, [value]],
      ]),
    ]),
    quote.items.map(rowOf),
  );
