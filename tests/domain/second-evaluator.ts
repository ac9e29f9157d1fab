import type { AutomationFacts } from '../../domain/automation.ts';

/**
 * A second implementation of conditions, written from the API's tables: other arithmetic (whole millionths), other text
 * matching (position by position), nothing of `domain/` but its types.
 */
export interface PlainCondition {
  readonly field: string;
  readonly operator: string;
  readonly value?: string | number;
}

/** The fields, row by row: how their values are read, and which operators they take. */
export const FIELD_TABLE: Readonly<
  Record<
    string,
    {
      readonly type: 'select' | 'number' | 'text';
      readonly operators: string;
      readonly of: (facts: AutomationFacts) => readonly (string | number | null)[];
    }
  >
> = {
  status: { type: 'select', operators: 'eq neq', of: (facts) => [facts.quote.status] },
  currency: { type: 'select', operators: 'eq neq', of: (facts) => [facts.quote.currency] },
  total: { type: 'number', operators: 'eq neq gt lt gte lte', of: (facts) => [facts.quote.total] },
  subtotal: { type: 'number', operators: 'eq neq gt lt gte lte', of: (facts) => [facts.quote.subtotal] },
  tax: { type: 'number', operators: 'eq neq gt lt gte lte', of: (facts) => [facts.quote.tax] },
  shippingCost: { type: 'number', operators: 'eq neq gt lt gte lte', of: (facts) => [facts.quote.shippingCost] },
  viewCount: { type: 'number', operators: 'eq neq gt lt gte lte', of: (facts) => [facts.quote.viewCount] },
  quoteNumber: { type: 'number', operators: 'eq neq gt lt gte lte', of: (facts) => [facts.quote.quoteNumber] },
  notes: {
    type: 'text',
    operators: 'eq neq contains starts_with is_empty is_not_empty',
    of: (facts) => [facts.quote.notes],
  },
  'client.contactName': {
    type: 'text',
    operators: 'eq neq contains starts_with',
    of: (facts) => [facts.client.contactName],
  },
  'client.companyName': {
    type: 'text',
    operators: 'eq neq contains starts_with is_empty is_not_empty',
    of: (facts) => [facts.client.companyName],
  },
  'client.email': { type: 'text', operators: 'eq neq contains starts_with', of: (facts) => [facts.client.email] },
  'client.phone': {
    type: 'text',
    operators: 'eq neq contains is_empty is_not_empty',
    of: (facts) => [facts.client.phone],
  },
  'items.productName': {
    type: 'text',
    operators: 'eq neq contains starts_with',
    of: (facts) => facts.items.map(({ productName }) => productName),
  },
  'items.model': {
    type: 'text',
    operators: 'eq neq contains is_empty is_not_empty',
    of: (facts) => facts.items.map(({ model }) => model),
  },
  'items.unitPrice': {
    type: 'number',
    operators: 'eq neq gt lt gte lte',
    of: (facts) => facts.items.map(({ unitPrice }) => unitPrice),
  },
  'items.quantity': {
    type: 'number',
    operators: 'eq neq gt lt gte lte',
    of: (facts) => facts.items.map(({ quantity }) => quantity),
  },
  'items.discountPct': {
    type: 'number',
    operators: 'eq neq gt lt gte lte',
    of: (facts) => facts.items.map(({ discountPct }) => discountPct),
  },
};

export function secondOpinion({ field, operator, value = '' }: PlainCondition, facts: AutomationFacts): boolean {
  const row = FIELD_TABLE[field];
  if (!row) throw new Error(`the specification has no field ${field}`);
  for (const actual of row.of(facts)) {
    const holds = row.type === 'number' ? numberHolds(operator, actual, value) : textHolds(operator, actual, value);
    if (holds) return true;
  }
  return false;
}

function numberHolds(operator: string, actual: string | number | null, value: string | number): boolean {
  const difference = millionths(actual ?? 0) - millionths(value);
  if (difference === 0n) return ['eq', 'gte', 'lte'].includes(operator);
  return difference > 0n ? ['neq', 'gt', 'gte'].includes(operator) : ['neq', 'lt', 'lte'].includes(operator);
}

/** A decimal of up to six digits after the point, as a whole number. */
function millionths(decimal: string | number): bigint {
  const text = String(decimal).trim();
  const [whole = '0', fraction = ''] = text.replace('-', '').split('.');
  const units = BigInt(whole) * 1_000_000n + BigInt(fraction.padEnd(6, '0'));
  return text.startsWith('-') ? -units : units;
}

function textHolds(operator: string, actual: string | number | null, value: string | number): boolean {
  const have = actual === null ? '' : String(actual);
  const isBlank = /^\s*$/u.test(have);
  if (operator === 'is_empty') return isBlank;
  if (operator === 'is_not_empty') return !isBlank;
  if (operator === 'eq') return have === value;
  if (operator === 'neq') return have !== value;
  const places = operator === 'starts_with' ? [0] : Array.from(letters(have), (_, place) => place);
  const wanted = letters(String(value));
  return places.some((place) => wanted.every((letter, i) => sameLetter(letter, letters(have)[place + i])));
}

const letters = (text: string): readonly string[] => Array.from(text);

/** Compares letters without case. */
const sameLetter = (a: string, b: string | undefined): boolean =>
  b !== undefined && (a === b || a.toUpperCase() === b.toUpperCase() || a.toLowerCase() === b.toLowerCase());
