import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import {
  type DecimalInput,
  Decimal,
  decimalNumber,
  decimalString,
  minorUnits,
  moneyString,
} from '../../domain/money.ts';
import { quoteTotals } from '../../domain/quote-totals.ts';
import { exactQuote, type OracleLine } from './exact-money.ts';

const RUNS = { numRuns: 2_000 };

/** A decimal as text with up to `places` digits after the point. */
const decimal = (max: bigint, places: number): fc.Arbitrary<string> =>
  fc
    .tuple(fc.bigInt({ min: 0n, max: max * 10n ** BigInt(places) }), fc.integer({ min: 0, max: places }))
    .map(([units, kept]) => {
      const digits = String(units).padStart(places + 1, '0');
      const text = `${digits.slice(0, digits.length - places)}.${digits.slice(digits.length - places)}`;
      return kept === 0 ? text.slice(0, -places - 1) : text.slice(0, text.length - places + kept);
    });

/** Prices whose amounts end in exact halves expose wrong rounding; they are generated more often than chance would. */
const unitPrice = fc.oneof(
  decimal(999_999_999n, 6),
  decimal(1_000n, 2),
  decimal(1_000n, 2).map((price) => `${new Decimal(price).toFixed(2)}5`),
);

const line: fc.Arbitrary<OracleLine> = fc.record({
  unitPrice,
  quantity: fc.oneof(fc.integer({ min: 1, max: 20 }), fc.integer({ min: 1, max: 1_000_000 })),
  discountPct: fc.oneof(fc.constantFrom('0', '25', '50', '100', '12.5'), decimal(100n, 4)),
});

const quote = fc.record({
  lines: fc.array(line, { minLength: 1, maxLength: 20 }),
  taxRate: fc.oneof(fc.constantFrom('0', '0.16', '0.08', '0.15', '1'), decimal(1n, 4)),
  shippingCost: decimal(100_000n, 2),
  currency: fc.constantFrom('MXN', 'USD', 'JPY', 'KWD'),
});

describe('displayAmount of any decimal that the database writes', () => {
  it('equals the result of decimal arithmetic', () => {
    fc.assert(
      fc.property(decimal(10n ** 15n, 6), fc.integer({ min: 0, max: 4 }), (text, atLeast) => {
        assert.equal(decimalString(text, atLeast), decimalString(new Decimal(text), atLeast));
      }),
      RUNS,
    );
  });
});

describe('amounts of any quote', () => {
  it('equal those of exact fractions', () => {
    fc.assert(
      fc.property(quote, ({ lines, taxRate, shippingCost, currency }) => {
        const totals = quoteTotals(lines, { taxRate, shippingCost, currency });

        const shown = {
          lines: totals.lines.map((amount) => moneyString(amount, currency)),
          subtotal: moneyString(totals.subtotal, currency),
          tax: moneyString(totals.tax, currency),
          total: moneyString(totals.total, currency),
        };
        assert.deepEqual(shown, exactQuote(lines, { taxRate, shippingCost, places: minorUnits(currency) }));
      }),
      RUNS,
    );
  });

  it('add up as printed: the lines to the subtotal; subtotal, tax and shipping to the total', () => {
    const cents = (text: string) => BigInt(text.replace('.', ''));
    fc.assert(
      fc.property(quote, ({ lines, taxRate, shippingCost }) => {
        const totals = quoteTotals(lines, { taxRate, shippingCost, currency: 'MXN' });

        const shown = (value: DecimalInput) => cents(moneyString(value, 'MXN'));
        assert.equal(
          shown(totals.subtotal),
          totals.lines.reduce((sum, amount) => sum + shown(amount), 0n),
        );
        assert.equal(shown(totals.total), shown(totals.subtotal) + shown(totals.tax) + shown(totals.shippingCost));
      }),
      RUNS,
    );
  });

  it('are the same for JSON numbers as for strings', () => {
    fc.assert(
      fc.property(quote, ({ lines, taxRate, shippingCost, currency }) => {
        const numbers = lines.map(({ unitPrice, quantity, discountPct }) => ({
          unitPrice: Number(unitPrice),
          quantity,
          discountPct: Number(discountPct),
        }));

        const fromNumbers = quoteTotals(numbers, {
          taxRate: Number(taxRate),
          shippingCost: Number(shippingCost),
          currency,
        });

        assert.equal(
          moneyString(fromNumbers.total, currency),
          exactQuote(lines, { taxRate, shippingCost, places: minorUnits(currency) }).total,
        );
      }),
      RUNS,
    );
  });
});

describe('any decimal string', () => {
  it('keeps its value, with at least two decimals', () => {
    fc.assert(
      fc.property(decimal(10n ** 15n, 9), (text) => {
        const shown = decimalString(text);

        assert.match(shown, /^(0|[1-9]\d*)\.\d{2,}$/);
        assert.equal(shown.replace(/0+$/, ''), text.includes('.') ? text.replace(/0+$/, '') : `${text}.`);
      }),
      RUNS,
    );
  });

  it('up to the largest total survives a conversion to a JSON number', () => {
    fc.assert(
      fc.property(decimal(9_999_999_999n, 2), (text) => {
        assert.equal(decimalString(decimalNumber(text)), decimalString(text));
      }),
      RUNS,
    );
  });
});
