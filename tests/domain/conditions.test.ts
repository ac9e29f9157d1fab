import assert from 'node:assert/strict';
import type { AutomationFacts } from '../../domain/automation.ts';
import {
  allHold,
  type Condition,
  CONDITION_FIELDS,
  type ConditionField,
  conditionProblem,
  evaluateCondition,
  OPERATORS,
  type Operator,
} from '../../domain/conditions.ts';
import { FACTS } from './automation-facts.ts';

/** The operators of each field, written down once more by hand. */
const NUMBER: readonly Operator[] = ['eq', 'neq', 'gt', 'lt', 'gte', 'lte'];
const ALLOWED: Record<ConditionField, readonly Operator[]> = {
  status: ['eq', 'neq'],
  currency: ['eq', 'neq'],
  total: NUMBER,
  subtotal: NUMBER,
  tax: NUMBER,
  shippingCost: NUMBER,
  viewCount: NUMBER,
  quoteNumber: NUMBER,
  notes: ['eq', 'neq', 'contains', 'starts_with', 'is_empty', 'is_not_empty'],
  'client.contactName': ['eq', 'neq', 'contains', 'starts_with'],
  'client.companyName': ['eq', 'neq', 'contains', 'starts_with', 'is_empty', 'is_not_empty'],
  'client.email': ['eq', 'neq', 'contains', 'starts_with'],
  'client.phone': ['eq', 'neq', 'contains', 'is_empty', 'is_not_empty'],
  'items.productName': ['eq', 'neq', 'contains', 'starts_with'],
  'items.model': ['eq', 'neq', 'contains', 'is_empty', 'is_not_empty'],
  'items.unitPrice': NUMBER,
  'items.quantity': NUMBER,
  'items.discountPct': NUMBER,
};
const SAMPLE: Partial<Record<ConditionField, string | number>> = { status: 'SENT', currency: 'MXN' };
const isNumber = (field: ConditionField) => ALLOWED[field] === NUMBER;
const valueFor = (field: ConditionField) => SAMPLE[field] ?? (isNumber(field) ? 5 : 'x');

describe('operators of a condition', () => {
  it('there are exactly the expected fields', () => {
    assert.deepEqual([...CONDITION_FIELDS].sort(), Object.keys(ALLOWED).sort());
  });

  for (const field of CONDITION_FIELDS) {
    it(`${field} takes ${ALLOWED[field].join(', ')}`, () => {
      const accepted = OPERATORS.filter((operator) => !conditionProblem({ field, operator, value: valueFor(field) }));

      assert.deepEqual([...accepted].sort(), [...ALLOWED[field]].sort());
    });
  }
});

describe('values of a condition', () => {
  const problem = (field: ConditionField, operator: Operator, value?: string | number) =>
    conditionProblem({ field, operator, ...(value !== undefined && { value }) })?.message;

  it('is_empty and is_not_empty take no value', () => {
    assert.equal(problem('notes', 'is_empty'), undefined);
    assert.equal(problem('items.model', 'is_not_empty'), undefined);
  });

  it('other operators require a value', () => {
    assert.equal(problem('total', 'gt'), 'es obligatorio');
    assert.equal(problem('notes', 'eq'), 'es obligatorio');
  });

  it('a number field takes numbers and decimal texts', () => {
    assert.deepEqual(
      [0, -1, 10.5, '1160.00', ' 7 ', 1e14].map((value) => problem('total', 'gt', value)),
      [undefined, undefined, undefined, undefined, undefined, undefined],
    );
  });

  it('a number field takes nothing else', () => {
    const refused = ['', 'mil', '1,160.00', '0x10', '1e3', 'NaN', 'Infinity', 1e21, 0.1234567];

    assert.deepEqual(
      refused.filter((value) => problem('total', 'gt', value) === undefined),
      [],
    );
  });

  it('status takes the six statuses, currency an ISO code, a text field a text', () => {
    assert.equal(problem('status', 'eq', 'PAID'), 'debe ser uno de: GENERATED, SENT, WON, LOST, ACCEPTED, REJECTED');
    assert.equal(problem('currency', 'eq', 'PESOS'), 'debe ser un código ISO 4217');
    assert.equal(problem('notes', 'eq', 5), 'debe ser texto');
  });

  it('a text operator takes no empty text', () => {
    assert.equal(problem('notes', 'contains', ''), 'no puede estar vacío');
    assert.equal(problem('notes', 'eq', ''), undefined);
  });
});

describe('evaluation of conditions', () => {
  const quoteWith = (change: Partial<AutomationFacts['quote']>): AutomationFacts => ({
    ...FACTS,
    quote: { ...FACTS.quote, ...change },
  });
  const holds = (field: ConditionField, operator: Operator, value: string | number = '', facts = FACTS) =>
    evaluateCondition({ field, operator, value }, facts).holds;

  // total 1160.00
  const numbers: [Operator, string | number, boolean][] = [
    ['eq', 1160, true], ['eq', '1160.00', true], ['eq', '1160.001', false], ['neq', 1160, false], ['neq', 1, true],
    ['gt', 1159.99, true], ['gt', 1160, false], ['lt', 1160.01, true], ['lt', 1160, false], ['gte', 1160, true],
    ['gte', 1160.01, false], ['lte', 1160, true], ['lte', 1159.99, false],
  ]; // prettier-ignore
  for (const [operator, value, expected] of numbers) {
    it(`total 1160.00 ${operator} ${value}: ${expected}`, () => {
      assert.equal(holds('total', operator, value), expected);
    });
  }

  it('amounts are compared exactly, where floats would differ', () => {
    const total = '999999999999999.999999';

    assert.equal(holds('total', 'eq', total, quoteWith({ total })), true);
    assert.equal(holds('total', 'eq', total, quoteWith({ total: '1000000000000000.00' })), false);
  });

  // notes "Entrega URGENTE en Ñuñoa"
  const texts: [Operator, string, boolean][] = [
    ['eq', 'Entrega URGENTE en Ñuñoa', true], ['eq', 'entrega urgente en ñuñoa', false], ['neq', 'otra', true],
    ['contains', 'urgente', true], ['contains', 'ÑUÑOA', true], ['contains', 'nunoa', false],
    ['starts_with', 'entrega', true], ['starts_with', 'urgente', false], ['is_empty', '', false],
    ['is_not_empty', '', true],
  ]; // prettier-ignore
  for (const [operator, value, expected] of texts) {
    it(`notes ${operator} «${value}»: ${expected}`, () => {
      assert.equal(holds('notes', operator, value), expected);
    });
  }

  it('a field without a value is empty, equals the empty text, and differs from any other', () => {
    const facts: AutomationFacts = { ...FACTS, client: { ...FACTS.client, companyName: null } };
    const company = (operator: Operator, value = '') => holds('client.companyName', operator, value, facts);

    assert.deepEqual(
      [company('is_empty'), company('is_not_empty'), company('eq', 'x'), company('neq', 'x'), company('contains', 'x')],
      [true, false, false, true, false],
    );
  });

  it('a text of spaces is empty', () => {
    assert.equal(holds('notes', 'is_empty', '', quoteWith({ notes: ' \n ' })), true);
  });

  it('an items. field holds when one line matches, also with neq, and never without lines', () => {
    // Lines: Silla (SE-200, 500.00 × 2, 0 %) and Mesa (no model, 150.00 × 1, 10 %).
    assert.equal(holds('items.productName', 'eq', 'Mesa'), true);
    assert.equal(holds('items.productName', 'neq', 'Mesa'), true);
    assert.equal(holds('items.model', 'is_empty'), true);
    assert.equal(holds('items.unitPrice', 'gt', 499), true);
    assert.equal(holds('items.quantity', 'gte', 3), false);
    assert.equal(holds('items.discountPct', 'eq', 10), true);
    assert.equal(holds('items.productName', 'neq', 'Mesa', { ...FACTS, items: [] }), false);
  });

  it("the evaluation shows the quote's value, or one for each line", () => {
    const actual = (field: ConditionField) => evaluateCondition({ field, operator: 'eq', value: '5' }, FACTS).actual;

    assert.equal(actual('status'), 'SENT');
    assert.equal(actual('total'), 1160);
    assert.deepEqual(actual('items.model'), ['SE-200', null]);
    assert.deepEqual(actual('items.unitPrice'), [500, 150]);
  });

  it('all conditions must hold; an empty list holds', () => {
    const evaluate = (...conditions: Condition[]) => conditions.map((condition) => evaluateCondition(condition, FACTS));
    const right: Condition = { field: 'status', operator: 'eq', value: 'SENT' };
    const wrong: Condition = { field: 'status', operator: 'neq', value: 'SENT' };

    assert.deepEqual(
      [allHold(evaluate()), allHold(evaluate(right, right)), allHold(evaluate(right, wrong))],
      [true, true, false],
    );
  });
});
