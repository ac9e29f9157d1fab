import { assertNever } from './assert-never.ts';
import type { AutomationFacts } from './automation.ts';
import { Decimal, decimalNumber, isCurrency } from './money.ts';
import { QUOTE_STATUSES } from './quote-status.ts';

/** The conditions of automations: fields, operators, and which values each accepts. */

export const OPERATORS = [
  'eq',
  'neq',
  'gt',
  'lt',
  'gte',
  'lte',
  'contains',
  'starts_with',
  'is_empty',
  'is_not_empty',
] as const;
export type Operator = (typeof OPERATORS)[number];

export interface Condition {
  readonly field: ConditionField;
  readonly operator: Operator;
  /** Absent with is_empty and is_not_empty. */
  readonly value?: string | number;
}

type FieldType = 'select' | 'number' | 'text';
type Actual = string | number | null;

interface Field {
  readonly type: FieldType;
  readonly operators: readonly Operator[];
  /** The values to compare: one of the quote, or one for each line. */
  readonly read: (facts: AutomationFacts) => Actual | readonly Actual[];
}

const SELECT = ['eq', 'neq'] as const;
const NUMBER = ['eq', 'neq', 'gt', 'lt', 'gte', 'lte'] as const;
const TEXT = ['eq', 'neq', 'contains', 'starts_with'] as const;
const EMPTY = ['is_empty', 'is_not_empty'] as const;

const select = (read: Field['read']): Field => ({ type: 'select', operators: SELECT, read });
const number = (read: Field['read']): Field => ({ type: 'number', operators: NUMBER, read });
const text = (operators: readonly Operator[], read: Field['read']): Field => ({ type: 'text', operators, read });

const FIELDS = {
  status: select(({ quote }) => quote.status),
  currency: select(({ quote }) => quote.currency),
  total: number(({ quote }) => quote.total),
  subtotal: number(({ quote }) => quote.subtotal),
  tax: number(({ quote }) => quote.tax),
  shippingCost: number(({ quote }) => quote.shippingCost),
  viewCount: number(({ quote }) => quote.viewCount),
  quoteNumber: number(({ quote }) => quote.quoteNumber),
  notes: text([...TEXT, ...EMPTY], ({ quote }) => quote.notes),
  'client.contactName': text(TEXT, ({ client }) => client.contactName),
  'client.companyName': text([...TEXT, ...EMPTY], ({ client }) => client.companyName),
  'client.email': text(TEXT, ({ client }) => client.email),
  'client.phone': text(['eq', 'neq', 'contains', ...EMPTY], ({ client }) => client.phone),
  'items.productName': text(TEXT, ({ items }) => items.map((item) => item.productName)),
  'items.model': text(['eq', 'neq', 'contains', ...EMPTY], ({ items }) => items.map((item) => item.model)),
  'items.unitPrice': number(({ items }) => items.map((item) => item.unitPrice)),
  'items.quantity': number(({ items }) => items.map((item) => item.quantity)),
  'items.discountPct': number(({ items }) => items.map((item) => item.discountPct)),
} as const satisfies Record<string, Field>;
export type ConditionField = keyof typeof FIELDS;
export const CONDITION_FIELDS = Object.keys(FIELDS) as ConditionField[]; // cast: the keys of that object

/** What a form needs to know of a field. */
export const conditionField = (field: ConditionField): Pick<Field, 'type' | 'operators'> => FIELDS[field];

const DECIMAL = /^-?\d{1,15}(\.\d{1,6})?$/;

/** What is wrong with the combination of field, operator and value. */
export function conditionProblem({
  field,
  operator,
  value,
}: Condition): { member: 'operator' | 'value'; message: string } | undefined {
  const { type, operators }: Field = FIELDS[field];
  if (!operators.includes(operator)) {
    return { member: 'operator', message: `${field} admite: ${operators.join(', ')}` };
  }
  if (operator === 'is_empty' || operator === 'is_not_empty') return undefined;
  if (value === undefined) return { member: 'value', message: 'es obligatorio' };
  const message = valueProblem(field, type, operator, value);
  return message === undefined ? undefined : { member: 'value', message };
}

function valueProblem(
  field: ConditionField,
  type: FieldType,
  operator: Operator,
  value: string | number,
): string | undefined {
  // A decimal as text counts as a number, because reads show amounts that way.
  if (type === 'number') return DECIMAL.test(plain(value)) ? undefined : 'debe ser un número de hasta 6 decimales';
  if (typeof value !== 'string') return 'debe ser texto';
  if (field === 'status') {
    return QUOTE_STATUSES.some((status) => status === value)
      ? undefined
      : `debe ser uno de: ${QUOTE_STATUSES.join(', ')}`;
  }
  if (field === 'currency') return isCurrency(value) ? undefined : 'debe ser un código ISO 4217';
  // Every text contains "", so such a condition would always hold.
  return value === '' && (operator === 'contains' || operator === 'starts_with') ? 'no puede estar vacío' : undefined;
}

// Numbers beyond 1e21 print with an exponent, which DECIMAL refuses.
const plain = (value: string | number): string => (typeof value === 'number' ? String(value) : value.trim());

/** The evaluation of one condition: the quote's value, and whether the condition holds. */
export interface ConditionResult {
  readonly condition: Condition;
  /** Amounts as numbers; a list for `items.` fields. */
  readonly actual: Actual | readonly Actual[];
  readonly holds: boolean;
}

/** A condition on a line field holds when at least one line matches, also with neq. */
export function evaluateCondition(condition: Condition, facts: AutomationFacts): ConditionResult {
  const { type, read }: Field = FIELDS[condition.field];
  const value = read(facts);
  const candidates = Array.isArray(value) ? (value as readonly Actual[]) : [value as Actual];
  const shown = type === 'number' ? candidates.map((candidate) => decimalNumber(candidate ?? 0)) : candidates;
  return {
    condition,
    actual: Array.isArray(value) ? shown : (shown[0] ?? null),
    holds: candidates.some((candidate) => matches(type, candidate, condition)),
  };
}

/** Whether all conditions hold; true when there are none. */
export const allHold = (results: readonly ConditionResult[]): boolean => results.every(({ holds }) => holds);

function matches(type: FieldType, actual: Actual, { operator, value = '' }: Condition): boolean {
  if (type === 'number') return compares(operator, new Decimal(actual ?? 0).comparedTo(plain(value)));
  const have = String(actual ?? '');
  const want = String(value);
  switch (operator) {
    case 'eq':
      return have === want;
    case 'neq':
      return have !== want;
    // "contains" ignores case, but not accents.
    case 'contains':
      return folded(have).includes(folded(want));
    case 'starts_with':
      return folded(have).startsWith(folded(want));
    case 'is_empty':
      return have.trim() === '';
    case 'is_not_empty':
      return have.trim() !== '';
    case 'gt':
    case 'lt':
    case 'gte':
    case 'lte':
      return false;
    default:
      return assertNever(operator);
  }
}

// Folded letter by letter: in a whole text the lower case of a letter depends on its neighbours (Σ is σ, but ς at the
// end of a word), so a part might not be found. Via the upper case, which all forms of a letter share.
const folded = (text: string): string => Array.from(text, (letter) => letter.toUpperCase().toLowerCase()).join('');

function compares(operator: Operator, order: number): boolean {
  switch (operator) {
    case 'eq':
      return order === 0;
    case 'neq':
      return order !== 0;
    case 'gt':
      return order > 0;
    case 'lt':
      return order < 0;
    case 'gte':
      return order >= 0;
    case 'lte':
      return order <= 0;
    case 'contains':
    case 'starts_with':
    case 'is_empty':
    case 'is_not_empty':
      return false;
    default:
      return assertNever(operator);
  }
}
