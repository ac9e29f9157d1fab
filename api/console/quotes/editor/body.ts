import type { Fields } from '../../../../console/forms/form-state.ts';
import { UNTAXED } from '../../../../console/quotes/editor/view.ts';
import { CreateQuote, ReviseQuote } from '../../../quotes/content-schema.ts';
import { bodyFrom } from '../../form-body.ts';
import type { BodyOf } from '../../operations.ts';
import { rowsOf, withRows } from './rows.ts';

/** Texts that an empty field clears: absent ones would be those of the business, or those that the quote has. */
const TEXTS = ['title', 'reference', 'terms', 'internalNotes', 'notes'] as const;

/** The body that creates a quote, from fields without blank lines. */
export const creationFrom = (fields: Fields): BodyOf<'createQuote'> =>
  // Unchecked: the operation's own check follows.
  documentFrom(fields, CreateQuote) as unknown as BodyOf<'createQuote'>;

/** The body of a revision. A validity that was not touched stays as it is, even if its day has passed. */
export function revisionFrom(fields: Fields, before: { readonly validUntil: string }): BodyOf<'reviseQuote'> {
  const body = documentFrom(fields, ReviseQuote);
  if (body['validUntil'] === before.validUntil) delete body['validUntil'];
  // Unchecked: the operation's own check follows.
  return {
    discountPct: 0,
    ...(fields.has('deposit.type') && { deposit: null }),
    ...(fields.has('hasMetadata') && { metadata: {} }),
    ...body,
  } as unknown as BodyOf<'reviseQuote'>;
}

function documentFrom(given: Fields, schema: object): Record<string, unknown> {
  const fields = withTaxLists(given);
  const body = bodyFrom(fields, schema, false);
  for (const name of TEXTS) if (fields.has(name) && !(name in body)) body[name] = null;
  if ((fields.get('deposit.type')?.at(-1) ?? '') === '') delete body['deposit'];
  const metadata = metadataIn(fields);
  if (metadata.length > 0) body['metadata'] = Object.fromEntries(metadata);
  return body;
}

/** «Sin impuestos» is an empty list; a line without a choice has no list. */
const withTaxLists = (fields: Fields): Fields =>
  withRows(
    fields,
    rowsOf(fields).map((row) => {
      const codes = (row.get('taxes') ?? []).filter((code) => code !== UNTAXED && code !== '');
      const isUntaxed = row.get('taxes')?.includes(UNTAXED) ?? false;
      const others = [...row].filter(([member]) => member !== 'taxes');
      return new Map([
        ...others,
        ...(codes.length > 0 ? [['taxes', codes] as const] : isUntaxed ? [['taxes', ['']] as const] : []),
      ]);
    }),
  );

/** Pairs, because a name may have dots. */
function metadataIn(fields: Fields): readonly (readonly [string, string])[] {
  const names = [...fields].filter(([name]) => /^metadataRows\.\d+\.name$/.test(name));
  return names.flatMap(([field, values]) => {
    const name = values.at(-1) ?? '';
    const value = fields.get(field.replace(/name$/, 'value'))?.at(-1) ?? '';
    return name === '' ? [] : [[name, value] as const];
  });
}

interface PricedRow {
  readonly row: number;
  readonly item: Record<string, unknown> & { readonly unitPrice: number; readonly quantity: number };
}

const PRICED = ['unitPrice', 'quantity', 'unit', 'discountPct', 'taxes', 'optional', 'choice', 'selected'] as const;

/** What determines the amounts, of the lines that have a price and a quantity, with the rows that they are in. */
export function pricedPart(fields: Fields): {
  readonly body: Record<string, unknown>;
  readonly lines: readonly PricedRow[];
} {
  const { items, currency, discountPct, shippingCost, shippingTaxes, deposit } = documentFrom(fields, CreateQuote);
  const all = (Array.isArray(items) ? items : []) as readonly Record<string, unknown>[];
  const lines = all.flatMap((item, row): PricedRow[] => {
    const { unitPrice, quantity } = item;
    if (typeof unitPrice !== 'number' || typeof quantity !== 'number') return [];
    const members = Object.fromEntries(PRICED.flatMap((name) => (name in item ? [[name, item[name]]] : [])));
    return [{ row, item: { ...members, unitPrice, quantity } }];
  });
  const isFull = typeof deposit === 'object' && deposit !== null && 'value' in deposit;
  const given = { currency, discountPct, shippingCost, shippingTaxes, ...(isFull && { deposit }) };
  return { body: Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined)), lines };
}
