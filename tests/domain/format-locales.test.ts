import assert from 'node:assert/strict';
import {
  formatAmount,
  formatDay,
  formatExactMoment,
  formatMoment,
  formatMoney,
  formatPercent,
  formatPercentPoints,
  formatQuantity,
  formatUntil,
} from '../../domain/format.ts';
import type { Locale } from '../../domain/locale.ts';

describe('amounts, dates and times', () => {
  const NBSP = '\u00a0';
  const WRITTEN: readonly (readonly [Locale, ...(readonly string[])])[] = [
    ['es-MX', '$1,234,567.125', '-R$5.00 BRL', '1.500 KWD', '8.25 %', '33.33 %', '12,000'],
    ['en-US', '$1,234,567.125', '-R$5.00 BRL', '1.500 KWD', '8.25%', '33.33%', '12,000'],
    ['pt-BR', `$${NBSP}1.234.567,125`, `-R$${NBSP}5,00 BRL`, '1,500 KWD', '8,25%', '33,33%', '12.000'],
  ];
  for (const [locale, ...written] of WRITTEN) {
    it(`amounts, percentages and counts have the format of ${locale}`, () => {
      assert.deepEqual(
        [
          formatAmount('1234567.125', 'MXN', locale),
          formatMoney('-5', 'BRL', locale),
          formatMoney('1.5', 'KWD', locale),
          formatPercent('0.0825', locale),
          formatPercentPoints('33.3333', locale),
          formatQuantity(12_000, locale),
        ],
        written,
      );
    });
  }

  const TIMES: readonly (readonly [Locale, ...(readonly string[])])[] = [
    ['es-MX', '1 de marzo de 2027', '31 de diciembre de 2026', '31 de diciembre de 2026, 00:05 (UTC-6)', '31 de diciembre de 2026, 12:04:09 (UTC-6)'],
    ['en-US', 'March 1, 2027', 'December 31, 2026', 'December 31, 2026 at 12:05 AM (UTC-6)', 'December 31, 2026 at 12:04:09 PM (UTC-6)'],
    ['pt-BR', '1º de março de 2027', '31 de dezembro de 2026', '31 de dezembro de 2026, 00:05 (UTC-6)', '31 de dezembro de 2026, 12:04:09 (UTC-6)'],
  ]; // prettier-ignore
  for (const [locale, ...written] of TIMES) {
    it(`days, instants and ends of validity have the format of ${locale}`, () => {
      const reading = { timeZone: 'America/Mexico_City', locale };
      assert.deepEqual(
        [
          formatDay('2027-03-01T12:00:00.000Z', reading),
          formatUntil('2027-01-01T05:59:59.999Z', reading),
          formatMoment('2026-12-31T06:05:00.000Z', reading),
          formatExactMoment('2026-12-31T18:04:09.000Z', reading),
        ],
        written,
      );
    });
  }
});
