import assert from 'node:assert/strict';
import { minorUnits, moneyString } from '../../domain/money.ts';
import { countingLines, dearestSelection } from '../../domain/quote-options.ts';
import { quoteTotals } from '../../domain/quote-totals.ts';
import { taxTable, type TaxDefinition } from '../../domain/taxes.ts';
import { type ExactLine, exactQuote, type ExactTerms } from './exact-quote.ts';

const TAXES = taxTable({ taxes: null, country: 'MX' });
const OWN: readonly TaxDefinition[] = [
  { code: 'IVA19', name: 'IVA 19 %', kind: 'transfer', rate: '0.19' },
  { code: 'VAT5', name: 'VAT 5 %', kind: 'transfer', rate: '0.05' },
  { code: 'RET50', name: 'Retención', kind: 'withholding', rate: '0.5' },
];

const line = (unitPrice: string, more: Partial<ExactLine> = {}): ExactLine => ({
  unitPrice,
  quantity: '1.0',
  discountPct: '0.00',
  taxes: null,
  optional: false,
  choice: null,
  selected: false,
  ...more,
});

interface Vector extends Partial<ExactTerms> {
  readonly lines: readonly ExactLine[];
  readonly currency?: string;
}

/** Subtotal, discount, tax and total, and the amount of each tax. Asserts that the oracle says the same. */
function amounts({ lines, currency = 'MXN', ...given }: Vector) {
  const terms = { taxRate: '0.16', taxes: [...TAXES, ...OWN], shippingCost: '0.00', shippingTaxes: [], discountPct: '0', ...given }; // prettier-ignore
  const definitions = new Map([...TAXES, ...OWN].map((tax) => [tax.code, tax]));
  const totals = quoteTotals(lines, { ...terms, currency, definitions, counting: countingLines(lines) });
  const shown = (amount: Parameters<typeof moneyString>[0]) => moneyString(amount, currency);
  const { subtotal, discount, taxes, tax, total } = totals;
  const result = [subtotal, discount, tax, total].map(shown);
  const exact = exactQuote(lines, { ...terms, places: minorUnits(currency) });
  assert.deepEqual(result, [exact.subtotal, exact.discount, exact.tax, exact.total]);
  return { result, taxes: Object.fromEntries(taxes.map(({ code, amount }) => [code, shown(amount)])) };
}

describe('Amounts of a quote', () => {
  it('mix 16 %, 8 %, 0 % and exempt lines', () => {
    const { result, taxes } = amounts({
      lines: [
        line('1000.00', { taxes: ['IVA16'] }),
        line('250.55', { taxes: ['IVA8'] }),
        line('99.99', { taxes: ['IVA0'] }),
        line('10.00', { taxes: ['EXENTO'] }),
      ],
    });

    assert.deepEqual(result, ['1360.54', '0.00', '180.04', '1540.58']);
    assert.deepEqual(taxes, { IVA16: '160.00', IVA8: '20.04', IVA0: '0.00', EXENTO: '0.00' });
  });

  it('subtract both withholdings of a professional fee from its tax', () => {
    const { result, taxes } = amounts({ lines: [line('10000.00', { taxes: ['IVA16', 'RET_ISR10', 'RET_IVA'] })] });

    assert.deepEqual(result, ['10000.00', '0.00', '-466.67', '9533.33']);
    assert.deepEqual(taxes, { IVA16: '1600.00', RET_ISR10: '1000.00', RET_IVA: '1066.67' });
  });

  it('round a tax once for all its lines', () => {
    const { result } = amounts({ lines: Array.from({ length: 3 }, () => line('0.03', { taxes: ['IVA16'] })) });

    assert.deepEqual(result, ['0.09', '0.00', '0.01', '0.10']);
  });

  it('take the document’s discount from each line before rounding it, and not from shipping', () => {
    const { result } = amounts({
      lines: [line('99.99', { quantity: '3.0', discountPct: '10.00' }), line('0.05')],
      discountPct: '5',
      shippingCost: '100.00',
    });

    assert.deepEqual(result, ['256.52', '43.50', '41.04', '397.56']);
  });

  it('tax shipping with the codes that it names', () => {
    const { result, taxes } = amounts({ lines: [line('100.00', { taxes: [] })], shippingCost: '50.00', shippingTaxes: ['IVA16'] }); // prettier-ignore

    assert.deepEqual(result, ['100.00', '0.00', '8.00', '158.00']);
    assert.deepEqual(taxes, { IVA16: '8.00' });
  });

  it('leave out options that are not selected, and count the first alternative', () => {
    const { result } = amounts({
      lines: [
        line('100.00'),
        line('40.00', { optional: true }),
        line('60.00', { optional: true, selected: true }),
        line('30.00', { choice: 'Acabado' }),
        line('90.00', { choice: 'Acabado' }),
      ],
    });

    assert.deepEqual(result, ['190.00', '0.00', '30.40', '220.40']);
  });

  it('multiply decimal quantities exactly', () => {
    const { result } = amounts({ lines: [line('285.21', { quantity: '12.3456', taxes: ['IVA8'] })] });

    assert.deepEqual(result, ['3521.09', '0.00', '281.69', '3802.78']);
  });

  it('are whole pesos in CLP', () => {
    const { result } = amounts({
      lines: [line('999.50', { quantity: '2.5', taxes: ['IVA19'] }), line('10000.40', { taxes: ['IVA19'] })],
      discountPct: '12.5',
      currency: 'CLP',
    });

    assert.deepEqual(result, ['10936.00', '1563.00', '2078.00', '13014.00']);
  });

  it('have three decimals in KWD', () => {
    const { result } = amounts({
      lines: [line('1.2345', { quantity: '3.0', taxes: ['VAT5'] }), line('0.0005', { taxes: ['VAT5'] })],
      currency: 'KWD',
    });

    assert.deepEqual(result, ['3.705', '0.000', '0.185', '3.890']);
  });

  it('are all zero, never -0.00, with a document discount of 100 %', () => {
    const { result } = amounts({ lines: [line('10.00', { taxes: ['RET50'] })], discountPct: '100' });

    assert.deepEqual(result, ['0.00', '10.00', '0.00', '0.00']);
  });
});

describe('The dearest selection', () => {
  it('takes what adds to the total, and of alternatives the most valuable one', () => {
    const lines = [{}, { optional: true }, { optional: true }, { choice: 'A' }, { choice: 'A', selected: false }];

    assert.deepEqual(dearestSelection(lines, [1, 2, -1, 3, 4]), [true, true, false, false, true]);
  });
});
