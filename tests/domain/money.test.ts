import assert from 'node:assert/strict';
import {
  decimalNumber,
  decimalPlaces,
  decimalString,
  isCurrency,
  minorUnits,
  moneyString,
  type DecimalInput,
} from '../../domain/money.ts';
import { lineAmount, type PricedLine, quoteTotals } from '../../domain/quote-totals.ts';

interface Terms {
  taxRate?: DecimalInput;
  shippingCost?: DecimalInput;
  currency?: string;
}

/** The amounts of a quote as responses show them. */
function amounts(lines: readonly PricedLine[], { taxRate = '0.16', shippingCost = 0, currency = 'MXN' }: Terms = {}) {
  const totals = quoteTotals(lines, { taxRate, shippingCost, currency });
  const shown = (value: DecimalInput) => moneyString(value, currency);
  return {
    lines: totals.lines.map(shown),
    subtotal: shown(totals.subtotal),
    tax: shown(totals.tax),
    shippingCost: shown(totals.shippingCost),
    total: shown(totals.total),
  };
}

const line = (unitPrice: DecimalInput, quantity = 1, discountPct: DecimalInput = 0): PricedLine => ({
  unitPrice,
  quantity,
  discountPct,
});
const lineString = (priced: PricedLine, currency = 'MXN') => moneyString(lineAmount(priced, currency), currency);

describe('the amounts of a quote', () => {
  it('are 2139.08, 342.25 and 2481.33 for 10 × 285.21 less 25 %', () => {
    const { subtotal, tax, total } = amounts([line(285.21, 10, 25)]);

    assert.deepEqual([subtotal, tax, total], ['2139.08', '342.25', '2481.33']);
  });

  it('are 1577.24, 252.36 and 1929.50 for 11 × 286.77 less 50 % with 99.90 shipping', () => {
    const { subtotal, tax, total } = amounts([line(286.77, 11, 50)], { shippingCost: 99.9 });

    assert.deepEqual([subtotal, tax, total], ['1577.24', '252.36', '1929.50']);
  });

  it('are 76.30, 11.45 and 87.75 for 25.06 + 25.61 + 25.63 at 15 %', () => {
    const { subtotal, tax, total } = amounts([line(25.06), line(25.61), line(25.63)], { taxRate: 0.15 });

    assert.deepEqual([subtotal, tax, total], ['76.30', '11.45', '87.75']);
  });

  it('have a tax of 163.73 and a total of 1255.23 for 1 × 1091.50 at 15 %', () => {
    const { tax, total } = amounts([line(1091.5)], { taxRate: 0.15 });

    assert.deepEqual([tax, total], ['163.73', '1255.23']);
  });

  it('have a total of 8.58 for 1 × 8.575 at 0 %', () => {
    assert.equal(amounts([line(8.575)], { taxRate: 0 }).total, '8.58');
  });

  it('add up from the rounded lines, not from the exact ones', () => {
    const { lines, subtotal } = amounts([line('0.125'), line('0.125'), line('0.125')], { taxRate: 0 });

    assert.deepEqual(lines, ['0.13', '0.13', '0.13']);
    assert.equal(subtotal, '0.39');
  });

  it('have no tax when the rate is 0, instead of the default of 16 %', () => {
    const { tax, total } = amounts([line(100)], { taxRate: 0 });

    assert.deepEqual([tax, total], ['0.00', '100.00']);
  });

  it('accept tax rate and shipping as the strings that the database returns', () => {
    const { tax, shippingCost, total } = amounts([line('1000.000000')], { taxRate: '0.1600', shippingCost: '99.900' });

    assert.deepEqual([tax, shippingCost, total], ['160.00', '99.90', '1259.90']);
  });

  it('are all 0.00, never -0.00, when the discount is 100 %', () => {
    const free = amounts([line('19.99', 3, 100), line(0, 1, 0), line(-0, 1, 0)], { shippingCost: -0 });

    assert.deepEqual(free, {
      lines: ['0.00', '0.00', '0.00'],
      subtotal: '0.00',
      tax: '0.00',
      shippingCost: '0.00',
      total: '0.00',
    });
  });

  it('stay exact for a thousand of the largest lines', () => {
    const thousand = Array.from({ length: 1000 }, () => line('999999999.999999', 1_000_000));

    assert.equal(amounts(thousand, { taxRate: 0 }).total, '999999999999999000.00');
  });
});

describe('the amount of a line', () => {
  it('is 999994001.00 for 1 × 999995001.000001 less 0.0001 %, which 20 digits of precision would round twice', () => {
    assert.equal(lineString(line('999995001.000001', 1, '0.0001')), '999994001.00');
  });

  it('rounds the half of 8.575 up to 8.58', () => {
    assert.equal(lineString(line(8.575)), '8.58');
  });

  it('rounds the half of 2.135 up to 2.14', () => {
    assert.equal(lineString(line(2.135)), '2.14');
  });

  it('rounds the half of 10.075 up to 10.08', () => {
    assert.equal(lineString(line(10.075)), '10.08');
  });

  it('rounds 1.004999 down', () => {
    assert.equal(lineString(line('1.004999')), '1.00');
  });

  it('is rounded to whole units in JPY and still shown with two decimals', () => {
    assert.equal(lineString(line('100.50'), 'JPY'), '101.00');
  });

  it('is rounded to three decimals in KWD and shown with three', () => {
    assert.equal(lineString(line('1.2345'), 'KWD'), '1.235');
  });
});

describe('a decimal string', () => {
  it('has at least two decimals', () => {
    assert.equal(decimalString(10), '10.00');
  });

  it('keeps its significant decimals', () => {
    assert.equal(decimalString('0.1250'), '0.125');
  });

  it('is 0.00 for minus zero', () => {
    assert.equal(decimalString(-0), '0.00');
  });

  it('has no exponent, however small or large the value', () => {
    assert.deepEqual([decimalString('0.000001'), decimalString(1e21)], ['0.000001', '1000000000000000000000.00']);
  });

  it('shows amounts with three minor units with three decimals', () => {
    assert.equal(moneyString('1.5', 'KWD'), '1.500');
  });
});

describe('a decimal as a JSON number', () => {
  it('is the exact number for the largest total', () => {
    assert.equal(decimalNumber('9999999999.99'), 9999999999.99);
  });

  it('is 0 for minus zero', () => {
    assert.ok(Object.is(decimalNumber('-0.00'), 0));
  });
});

describe('decimal places', () => {
  it('are counted without trailing zeros', () => {
    assert.deepEqual([decimalPlaces('0.1250'), decimalPlaces(143.48), decimalPlaces('7')], [3, 2, 0]);
  });
});

describe('a currency', () => {
  it('has 2 minor units for MXN, 0 for JPY, 3 for KWD', () => {
    assert.deepEqual([minorUnits('MXN'), minorUnits('JPY'), minorUnits('KWD')], [2, 0, 3]);
  });

  it('is valid only as an ISO 4217 code in upper case', () => {
    assert.deepEqual(['MXN', 'USD', 'XCG', 'mxn', 'ABC', ''].filter(isCurrency), ['MXN', 'USD', 'XCG']);
  });
});
