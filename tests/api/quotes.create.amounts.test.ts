import assert from 'node:assert/strict';
import * as build from './build.ts';
import { type Service, service } from './service.ts';

// Test vectors of the money rules through the whole service: JSON, PostgreSQL, JSON. tests/domain compares the rules
// with an oracle.

interface Line {
  readonly unitPrice: number;
  readonly quantity: number;
  readonly discountPct?: number;
}

describe('Amounts of POST /api/quotes', () => {
  let app: Service;
  before(async () => {
    app = await service();
  });

  interface Case {
    readonly taxRate?: string | null;
    readonly currency?: string;
    readonly shippingCost?: number;
  }

  async function amountsOf(lines: readonly Line[], { taxRate = null, currency = 'MXN', shippingCost }: Case = {}) {
    const { owner } = await build.business({ taxRate, currency });
    const { id: clientId } = await build.client(owner);
    const items = lines.map((line) => ({ productName: 'Silla', ...line }));
    const res = await app.post('/api/quotes', { clientId, items, shippingCost }, owner);
    assert.equal(res.status, 201, JSON.stringify(res.body));
    const read = await app.get(`/api/quotes/${res.body.id}`, owner);
    const pick = ({ subtotal, tax, shippingCost: shipping, total }: Record<string, unknown>) =>
      [subtotal, tax, shipping, total]; // prettier-ignore
    return { numbers: pick(res.body), strings: pick(read.body), items: read.body.items };
  }

  it('10 × 285.21 − 25 % is 2139.08, tax 342.25, total 2481.33', async () => {
    const { numbers } = await amountsOf([{ unitPrice: 285.21, quantity: 10, discountPct: 25 }]);

    assert.deepEqual(numbers, [2139.08, 342.25, 0, 2481.33]);
  });

  it('11 × 286.77 − 50 % with shipping 99.90 is 1577.24, 252.36, 1929.50', async () => {
    const line = { unitPrice: 286.77, quantity: 11, discountPct: 50 };

    const { numbers, strings } = await amountsOf([line], { shippingCost: 99.9 });

    assert.deepEqual(numbers, [1577.24, 252.36, 99.9, 1929.5]);
    assert.deepEqual(strings, ['1577.24', '252.36', '99.90', '1929.50']);
  });

  it('25.06 + 25.61 + 25.63 at 15 % is 76.30, 11.45, 87.75', async () => {
    const lines = [25.06, 25.61, 25.63].map((unitPrice) => ({ unitPrice, quantity: 1 }));

    const { numbers } = await amountsOf(lines, { taxRate: '0.15' });

    assert.deepEqual(numbers, [76.3, 11.45, 0, 87.75]);
  });

  it('1 × 1091.50 at 15 % has tax 163.73 and total 1255.23', async () => {
    const { numbers } = await amountsOf([{ unitPrice: 1091.5, quantity: 1 }], { taxRate: '0.15' });

    assert.deepEqual(numbers, [1091.5, 163.73, 0, 1255.23]);
  });

  it('999995001.000001 − 0.0001 % is 999994001.00', async () => {
    const line = { unitPrice: 999_995_001.000001, quantity: 1, discountPct: 0.0001 };

    const { items } = await amountsOf([line], { taxRate: '0' });

    assert.equal(items[0].subtotal, '999994001.00');
  });

  it('rounds exact halves up: 8.575, 2.135 and 10.075 are 8.58, 2.14 and 10.08', async () => {
    const lines = [8.575, 2.135, 10.075].map((unitPrice) => ({ unitPrice, quantity: 1 }));

    const { items } = await amountsOf(lines);

    const amounts = items.map(({ subtotal }: { subtotal: string }) => subtotal);
    assert.deepEqual(amounts, ['8.58', '2.14', '10.08']);
  });

  it('accepts prices that are inexact as floats: 143.48, 19.99, 8.69, 1.11, 2.22', async () => {
    const lines = [143.48, 19.99, 8.69, 1.11, 2.22].map((unitPrice) => ({ unitPrice, quantity: 1 }));

    const { numbers } = await amountsOf(lines, { taxRate: '0' });

    assert.deepEqual(numbers, [175.49, 0, 0, 175.49]);
  });

  it('a tax rate of 0 is kept and not replaced by 16 %', async () => {
    const { strings } = await amountsOf([{ unitPrice: 100, quantity: 1 }], { taxRate: '0' });

    assert.deepEqual(strings, ['100.00', '0.00', '0.00', '100.00']);
  });

  it('a discount of 100 % gives 0.00, and minus zero is 0.00', async () => {
    const line = { unitPrice: 100, quantity: 1, discountPct: 100 };

    const { strings } = await amountsOf([line, { unitPrice: -0, quantity: 1 }], { shippingCost: -0 });

    assert.deepEqual(strings, ['0.00', '0.00', '0.00', '0.00']);
  });

  it('JPY has no minor unit: 3 × 33.5 is 101, tax 16, shown with two decimals', async () => {
    const { strings } = await amountsOf([{ unitPrice: 33.5, quantity: 3 }], { currency: 'JPY' });

    assert.deepEqual(strings, ['101.00', '16.00', '0.00', '117.00']);
  });

  it('KWD has three decimals: 0.0625 is 0.063, tax 0.010', async () => {
    const { strings } = await amountsOf([{ unitPrice: 0.0625, quantity: 1 }], { currency: 'KWD' });

    assert.deepEqual(strings, ['0.063', '0.010', '0.000', '0.073']);
  });

  it('shows prices and discounts with all decimals, at least two', async () => {
    const lines = [
      { unitPrice: 10, quantity: 1, discountPct: 5 },
      { unitPrice: 0.125, quantity: 1, discountPct: 12.3456 },
    ];

    const { items } = await amountsOf(lines);

    const shown = items.map((item: Record<string, unknown>) => [item['unitPrice'], item['discountPct']]);
    assert.deepEqual(shown, [
      ['10.00', '5.00'],
      ['0.125', '12.3456'],
    ]);
  });

  it('accepts the maximum total 9 999 999 999.99 and returns it exactly', async () => {
    const lines = [{ unitPrice: 999_999_999, quantity: 10 }];

    const { numbers, strings } = await amountsOf(lines, { taxRate: '0', shippingCost: 9.99 });

    assert.equal(numbers[3], 9_999_999_999.99);
    assert.equal(strings[3], '9999999999.99');
  });

  it('a new tax rate of the business does not change existing quotes', async () => {
    const business = await build.business({ taxRate: '0.16' });
    const { id } = await build.quote(business.owner);
    await build.patchTenant(business, { taxRate: '0.08' });

    const res = await app.get(`/api/quotes/${id}`, business.owner);

    assert.deepEqual([res.body.taxRate, res.body.tax], ['0.16', '32.00']);
  });

  it('a hundred random lines add up to the subtotal, and the parts to the total', async () => {
    const cents = (text: string) => BigInt(text.replace('.', ''));
    const lines = Array.from({ length: 100 }, () => ({
      unitPrice: Math.floor(Math.random() * 1e9) / 1e6,
      quantity: 1 + Math.floor(Math.random() * 99),
      discountPct: Math.floor(Math.random() * 1e6) / 1e4,
    }));

    const { strings, items } = await amountsOf(lines, { shippingCost: 12.34 });

    const [subtotal = '', tax = '', shipping = '', total = ''] = strings.map(String);
    const sum = items.reduce((all: bigint, item: { subtotal: string }) => all + cents(item.subtotal), 0n);
    assert.equal(sum, cents(subtotal));
    assert.equal(cents(subtotal) + cents(tax) + cents(shipping), cents(total));
  });
});
