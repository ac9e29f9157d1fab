import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import type { AutomationFacts } from '../../domain/automation.ts';
import {
  type Condition,
  CONDITION_FIELDS,
  type ConditionField,
  conditionProblem,
  evaluateCondition,
  OPERATORS,
  type Operator,
} from '../../domain/conditions.ts';
import { QUOTE_STATUSES } from '../../domain/quote-status.ts';
import { FACTS } from './automation-facts.ts';
import { FIELD_TABLE, secondOpinion } from './second-evaluator.ts';

/**
 * Cases for each pair of field and operator; a failure prints the seed that repeats it. Enough that both results occur
 * in every run: the rarer one has a tenth of the cases where most amounts are too small or too large.
 */
const RUNS = { numRuns: 400 };

/** Letters with and without case and accents, pattern characters, blanks, and a surrogate pair. */
const letters = fc.string({
  unit: fc.constantFrom(
    'a',
    'A',
    'b',
    'B',
    'ñ',
    'Ñ',
    'á',
    'Σ',
    'σ',
    'ς',
    '%',
    '_',
    '.',
    '*',
    '\\',
    ' ',
    '\n',
    ' ',
    '😀',
    '7',
  ),
  maxLength: 6,
});
const word = fc.oneof({ weight: 6, arbitrary: letters }, fc.constantFrom('', ' ', '\n '));
const nullable = fc.option(word, { nil: null });

/** Decimals that lie close together, so that equal and nearly equal ones occur; some near the largest. */
const amount = fc
  .tuple(
    fc.constantFrom('0', '1', '10', '1160', '999999999999999'),
    fc.constantFrom('', '.0', '.000001', '.50', '.999999'),
  )
  .map(([whole, fraction]) => whole + fraction);
const count = fc.integer({ min: 0, max: 3 });

const facts: fc.Arbitrary<AutomationFacts> = fc.record({
  quote: fc.record({
    quoteNumber: count,
    displayNumber: fc.constant(FACTS.quote.displayNumber),
    status: fc.constantFrom(...QUOTE_STATUSES),
    subtotal: amount,
    tax: amount,
    shippingCost: amount,
    total: amount,
    currency: fc.constantFrom('MXN', 'USD'),
    notes: word,
    expiresAt: fc.constant(FACTS.quote.expiresAt),
    viewCount: count,
    url: fc.constant(FACTS.quote.url),
  }),
  client: fc.record({ contactName: word, companyName: nullable, email: nullable, phone: nullable }),
  items: fc.array(
    fc.record({ productName: word, model: nullable, unitPrice: amount, quantity: count, discountPct: amount }),
    { maxLength: 3 },
  ),
  business: fc.constant(FACTS.business),
  user: fc.constant(FACTS.user),
});

/** A value for the field: often the quote's value, or a part of it, in another case; else one of the same type. */
function valueFor(field: ConditionField, of: AutomationFacts): fc.Arbitrary<string | number> {
  const row = FIELD_TABLE[field];
  const had = (row?.of(of) ?? []).filter((actual) => actual !== null);
  const orHad = <T extends string | number>(other: fc.Arbitrary<T>): fc.Arbitrary<string | number> =>
    had.length === 0 ? other : fc.oneof(other, fc.constantFrom(...had));
  if (field === 'status') return orHad(fc.constantFrom(...QUOTE_STATUSES));
  if (field === 'currency') return orHad(fc.constantFrom('MXN', 'USD', 'EUR'));
  if (row?.type === 'number') {
    return orHad(
      fc.oneof(
        count,
        amount,
        amount.map((text) => ` -${text} `),
        fc.integer({ min: -2e6, max: 2e6 }).map((n) => n / 1e6),
      ),
    );
  }
  // By code points, because stored texts hold no half of a surrogate pair.
  const part = fc
    .tuple(orHad(word), fc.nat(4), fc.nat(6))
    .map(([text, from, to]) => Array.from(String(text)).slice(from, to).join(''));
  return fc.oneof(
    orHad(word),
    part,
    part.map((text) => text.toUpperCase()),
  );
}

const PAIRS = CONDITION_FIELDS.flatMap((field) =>
  (FIELD_TABLE[field]?.operators.split(' ') ?? []).map((operator) => ({ field, operator: operator as Operator })),
); // fixed names; the next test compares them with the code

describe('conditions on random quotes', () => {
  it('the pairs of field and operator are exactly those of the second evaluator', () => {
    const value = (field: ConditionField) => ({ status: 'SENT', currency: 'MXN' })[field as string] ?? '5';
    const accepted = CONDITION_FIELDS.flatMap((field) =>
      OPERATORS.filter((operator) => !conditionProblem({ field, operator, value: value(field) })).map(
        (operator) => `${field} ${operator}`,
      ),
    );

    assert.deepEqual(accepted.toSorted(), PAIRS.map(({ field, operator }) => `${field} ${operator}`).toSorted());
    assert.equal(PAIRS.length, 92);
  });

  for (const { field, operator } of PAIRS) {
    it(`${field} ${operator}: the result equals that of a second evaluator`, () => {
      const seen = new Set<boolean>();
      const withValue = facts.chain((of) =>
        fc.tuple(
          fc.constant(of),
          valueFor(field, of).filter((value) => !conditionProblem({ field, operator, value })),
        ),
      );
      fc.assert(
        fc.property(withValue, ([of, value]) => {
          const condition: Condition = { field, operator, ...(!operator.includes('empty') && { value }) };

          const { holds } = evaluateCondition(condition, of);

          seen.add(holds);
          assert.equal(holds, secondOpinion(condition, of));
        }),
        RUNS,
      );
      assert.equal(seen.size, 2, 'both answers came up');
    });
  }
});
