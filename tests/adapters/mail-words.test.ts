import assert from 'node:assert/strict';
import { isEmailAddress } from '../../domain/email-address.ts';
import { formatDay, formatMoney, formatPercent, formatPercentPoints, formatQuantity } from '../../domain/format.ts';

describe('isEmailAddress', () => {
  for (const address of [
    'a@b.mx',
    'maria.lopez+cotiza@ventas.ejemplo.com.mx',
    "o'brien@x.ie",
    'reject+550@cliente.example',
    'x@xn--caon-hqa.mx',
    `${'a'.repeat(64)}@b.mx`,
  ])
    it(`takes ${address}`, () => assert.equal(isEmailAddress(address), true));

  for (const text of [
    '',
    'a',
    '@b.mx',
    'a@',
    'a@localhost',
    'a@@b.mx',
    'a@b@c.mx',
    'a@b.mx\r\nBcc: c@d.mx',
    'a@b.mx\n',
    '\ta@b.mx',
    ' a@b.mx',
    'a b@c.mx',
    '"a b"@c.mx',
    'a@b.mx,c@d.mx',
    'a@b.mx;c@d.mx',
    '<a@b.mx>',
    'A <a@b.mx>',
    'a(x)@b.mx',
    '.a@b.mx',
    'a.@b.mx',
    'a..b@c.mx',
    'a@-b.mx',
    'a@b-.mx',
    'a@b..mx',
    'a@b.mx.',
    'a@[127.0.0.1]',
    'a@127.0.0.1',
    'ñ@b.mx',
    'a\u0000@b.mx',
    'a@b.mx\u2028',
    `${'a'.repeat(65)}@b.mx`,
    `a@${'b'.repeat(64)}.mx`,
    `a@${'b.'.repeat(130)}mx`,
  ])
    /* prettier-ignore */
    it(`turns down ${JSON.stringify(text).slice(0, 60)}`, () => assert.equal(isEmailAddress(text), false));
});

describe('formatMoney', () => {
  it('groups thousands and keeps every digit, at any size', () => {
    assert.equal(formatMoney('1160.00', 'MXN', 'es-MX'), '$1,160.00 MXN');
    assert.equal(formatMoney('9999999999.99', 'USD', 'es-MX'), '$9,999,999,999.99 USD');
    assert.equal(formatMoney('90071992547409933.07', 'MXN', 'es-MX'), '$90,071,992,547,409,933.07 MXN');
    assert.equal(formatMoney('0.00', 'MXN', 'es-MX'), '$0.00 MXN');
    assert.equal(formatMoney('-5', 'MXN', 'es-MX'), '-$5.00 MXN');
    assert.equal(formatMoney('-0.00', 'MXN', 'es-MX'), '$0.00 MXN');
    assert.equal(formatMoney('999.5', 'MXN', 'es-MX'), '$999.50 MXN');
  });

  it('shows unit prices with all their decimals, and currencies with their own number of them', () => {
    assert.equal(formatMoney('0.125', 'MXN', 'es-MX'), '$0.125 MXN');
    assert.equal(formatMoney('12.000000', 'MXN', 'es-MX'), '$12.00 MXN');
    assert.equal(formatMoney('1160.00', 'JPY', 'es-MX'), '¥1,160 JPY');
    assert.equal(formatMoney('1.500', 'KWD', 'es-MX'), '1.500 KWD');
    assert.equal(formatMoney('1234.56', 'EUR', 'es-MX'), '€1,234.56 EUR');
  });

  it('throws on what is no amount', () => {
    assert.throws(() => formatMoney('mil', 'MXN', 'es-MX'));
    assert.throws(() => formatMoney('NaN', 'MXN', 'es-MX'), RangeError);
  });
});

describe('formatPercent, formatPercentPoints, formatQuantity, formatDay', () => {
  it('read as in Mexico', () => {
    assert.equal(formatPercent('0.16', 'es-MX'), '16 %');
    assert.equal(formatPercent('0.0825', 'es-MX'), '8.25 %');
    assert.equal(formatPercent('0', 'es-MX'), '0 %');
    assert.equal(formatPercentPoints('25.00', 'es-MX'), '25 %');
    assert.equal(formatPercentPoints('12.5000', 'es-MX'), '12.5 %');
    assert.equal(formatQuantity(12_000, 'es-MX'), '12,000');
    assert.equal(
      formatDay('2026-12-15T23:59:59.999Z', { timeZone: 'UTC', locale: 'es-MX' }),
      '15 de diciembre de 2026',
    );
    assert.equal(formatDay('2027-01-01T00:00:00.000Z', { timeZone: 'UTC', locale: 'es-MX' }), '1 de enero de 2027');
  });

  it('throws on what is no date', () => {
    assert.throws(() => formatDay('mañana', { timeZone: 'UTC', locale: 'es-MX' }), RangeError);
  });
});
