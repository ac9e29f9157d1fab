import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { minorUnits, moneyString } from '../../domain/money.ts';
import { choiceProblems, countingLines } from '../../domain/quote-options.ts';
import { quoteTotals } from '../../domain/quote-totals.ts';
import type { TaxDefinition } from '../../domain/taxes.ts';
import { type ExactLine, exactQuote } from './exact-quote.ts';

const RUNS = { numRuns: 10_000 };
const FEWER = { numRuns: 2_000 };

/** A decimal as text with exactly `places` digits after the point. */
const decimal = (max: number, places: number): fc.Arbitrary<string> =>
  fc.bigInt({ min: 0n, max: BigInt(max) * 10n ** BigInt(places) }).map((units) => {
    const digits = String(units).padStart(places + 1, '0');
    return `${digits.slice(0, digits.length - places)}.${digits.slice(digits.length - places)}`;
  });

/** Two of each kind. */
const CODES = ['T1', 'T2', 'W1', 'W2', 'E1'] as const;
const KINDS = { T: 'transfer', W: 'withholding', E: 'exempt' } as const;
const kindOf = (code: string) => KINDS[code.charAt(0) as keyof typeof KINDS];

const definitions = fc.tuple(...CODES.map(() => fc.oneof(fc.constantFrom('0.16', '0.08', '0.00', '1', '0.106667'), decimal(1, 6)))).map(
  (rates) =>
    CODES.map((code, index): TaxDefinition => ({
      code,
      name: code,
      kind: kindOf(code),
      rate: kindOf(code) === 'exempt' ? '0.00' : (rates[index] ?? '0.00'),
    })),
); // prettier-ignore

const codes = fc.oneof(fc.constant<string[]>(['E1']), fc.subarray(['T1', 'T2', 'W1', 'W2'] as string[]));

const line: fc.Arbitrary<ExactLine> = fc
  .record({
    unitPrice: fc.oneof(
      decimal(100_000, 6),
      decimal(1_000, 2),
      decimal(1_000, 2).map((price) => `${price}5`),
    ),
    quantity: fc.oneof(
      fc.integer({ min: 1, max: 50 }).map((n) => `${n}.0`),
      decimal(1_000, 4).map((text) => (/[1-9]/.test(text) ? text : '0.0001')),
    ),
    discountPct: fc.oneof(fc.constantFrom('0.00', '25.00', '100.00'), decimal(100, 4)),
    taxes: fc.option(codes, { nil: null }),
    way: fc.constantFrom('fixed', 'fixed', 'optional', 'A', 'B'),
    selected: fc.boolean(),
  })
  .map(({ way, selected, ...rest }) => ({
    ...rest,
    optional: way === 'optional',
    choice: way === 'A' || way === 'B' ? way : null,
    selected: way !== 'fixed' && selected,
  }));

const quote = fc
  .record({
    lines: fc.array(line, { minLength: 1, maxLength: 8 }),
    taxes: definitions,
    taxRate: fc.oneof(fc.constantFrom('0', '0.16', '0.08'), decimal(1, 4)),
    shippingCost: decimal(1_000, 2),
    shippingTaxes: fc.oneof(fc.constant<string[]>([]), codes),
    discountPct: fc.oneof(fc.constantFrom('0', '5', '100'), decimal(100, 4)),
    currency: fc.constantFrom('MXN', 'CLP', 'KWD'),
  })
  .filter(({ lines }) => choiceProblems(lines).length === 0);
type Quote = typeof quote extends fc.Arbitrary<infer Q> ? Q : never;

function totalsOf({ lines, taxes, ...terms }: Quote) {
  const counting = countingLines(lines);
  const totals = quoteTotals(lines, {
    ...terms,
    counting,
    definitions: new Map(taxes.map((tax) => [tax.code, tax])),
  });
  const shown = (amount: Parameters<typeof moneyString>[0]) => moneyString(amount, terms.currency);
  return {
    lines: totals.lines.map(shown),
    counts: counting,
    subtotal: shown(totals.subtotal),
    discount: shown(totals.discount),
    taxes: totals.taxes
      .map(({ code, base, amount }) => ({ code, base: shown(base), amount: shown(amount) }))
      .toSorted((a, b) => (a.code < b.code ? -1 : 1)),
    tax: shown(totals.tax),
    total: shown(totals.total),
  };
}

/** In thousandths, whatever number of decimals is shown. */
const units = (text: string): bigint => {
  const [whole = '', decimals = ''] = text.replace('-', '').split('.');
  const size = BigInt(whole + decimals.padEnd(3, '0'));
  return text.startsWith('-') ? -size : size;
};
const sum = (values: readonly bigint[]): bigint => values.reduce((all, value) => all + value, 0n);

describe('Amounts of a quote with taxes, discounts, options and shipping', () => {
  it('equal those of exact fractions', () => {
    fc.assert(
      fc.property(quote, (given) => {
        const places = minorUnits(given.currency);

        assert.deepEqual(totalsOf(given), exactQuote(given.lines, { ...given, places }));
      }),
      FEWER,
    );
  });

  it('satisfy every relation on the values as they are returned', () => {
    fc.assert(
      fc.property(quote, (given) => {
        const totals = totalsOf(given);
        const { lines, counts, taxes } = totals;
        const ofCounting = (keep: (index: number) => boolean) =>
          sum(lines.map((amount, index) => (counts[index] && keep(index) ? units(amount) : 0n)));

        assert.equal(
          units(totals.subtotal),
          ofCounting(() => true),
        );
        for (const { code, base, amount } of taxes) {
          const lineBase = ofCounting((index) => (given.lines[index]?.taxes ?? ['DEFAULT']).includes(code));
          assert.equal(units(base), lineBase + (given.shippingTaxes.includes(code) ? units(given.shippingCost) : 0n));
          assert.ok(units(amount) >= 0n);
        }
        const signed = taxes.map(({ code, amount }) => (code.startsWith('W') ? -units(amount) : units(amount)));
        assert.equal(units(totals.tax), sum(signed));
        assert.equal(units(totals.total), units(totals.subtotal) + units(totals.tax) + units(given.shippingCost));
        assert.ok(!Object.values(totals).flat().includes('-0.00'));
      }),
      RUNS,
    );
  });

  it('count exactly one line of each group of alternatives', () => {
    fc.assert(
      fc.property(quote, ({ lines }) => {
        const counting = countingLines(lines);

        for (const group of new Set(lines.flatMap(({ choice }) => choice ?? []))) {
          assert.equal(lines.filter(({ choice }, index) => choice === group && counting[index]).length, 1);
        }
      }),
      FEWER,
    );
  });
});
