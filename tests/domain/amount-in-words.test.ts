import assert from 'node:assert/strict';
import { amountInWords } from '../../domain/amount-in-words.ts';

const VECTORS: readonly (readonly [string, string])[] = [
  ['0.00', '(CERO PESOS 00/100 M.N.)'],
  ['0.05', '(CERO PESOS 05/100 M.N.)'],
  ['1.00', '(UN PESO 00/100 M.N.)'],
  ['2.50', '(DOS PESOS 50/100 M.N.)'],
  ['16.00', '(DIECISÉIS PESOS 00/100 M.N.)'],
  ['20.00', '(VEINTE PESOS 00/100 M.N.)'],
  ['21.00', '(VEINTIÚN PESOS 00/100 M.N.)'],
  ['22.00', '(VEINTIDÓS PESOS 00/100 M.N.)'],
  ['30.00', '(TREINTA PESOS 00/100 M.N.)'],
  ['31.05', '(TREINTA Y UN PESOS 05/100 M.N.)'],
  ['99.99', '(NOVENTA Y NUEVE PESOS 99/100 M.N.)'],
  ['100.00', '(CIEN PESOS 00/100 M.N.)'],
  ['101.00', '(CIENTO UN PESOS 00/100 M.N.)'],
  ['121.00', '(CIENTO VEINTIÚN PESOS 00/100 M.N.)'],
  ['500.00', '(QUINIENTOS PESOS 00/100 M.N.)'],
  ['777.00', '(SETECIENTOS SETENTA Y SIETE PESOS 00/100 M.N.)'],
  ['1000.00', '(MIL PESOS 00/100 M.N.)'],
  ['1001.00', '(MIL UN PESOS 00/100 M.N.)'],
  ['1160.00', '(MIL CIENTO SESENTA PESOS 00/100 M.N.)'],
  ['2026.00', '(DOS MIL VEINTISÉIS PESOS 00/100 M.N.)'],
  ['21000.00', '(VEINTIÚN MIL PESOS 00/100 M.N.)'],
  ['31000.00', '(TREINTA Y UN MIL PESOS 00/100 M.N.)'],
  ['100000.00', '(CIEN MIL PESOS 00/100 M.N.)'],
  ['101001.00', '(CIENTO UN MIL UN PESOS 00/100 M.N.)'],
  ['1000000.00', '(UN MILLÓN DE PESOS 00/100 M.N.)'],
  ['1000001.00', '(UN MILLÓN UN PESOS 00/100 M.N.)'],
  ['2000000.00', '(DOS MILLONES DE PESOS 00/100 M.N.)'],
  ['21000000.00', '(VEINTIÚN MILLONES DE PESOS 00/100 M.N.)'],
  ['1000000000.00', '(MIL MILLONES DE PESOS 00/100 M.N.)'],
  [
    '9999999999.99',
    '(NUEVE MIL NOVECIENTOS NOVENTA Y NUEVE MILLONES NOVECIENTOS NOVENTA Y NUEVE MIL NOVECIENTOS NOVENTA Y NUEVE ' +
      'PESOS 99/100 M.N.)',
  ],
  ['1000000000000.00', '(UN BILLÓN DE PESOS 00/100 M.N.)'],
];

describe('amountInWords', () => {
  for (const [amount, words] of VECTORS) {
    it(`${amount} MXN is «${words}»`, () => {
      assert.equal(amountInWords(amount, 'MXN', 'MX'), words);
    });
  }

  for (const [amount, words] of [
    ['0.00', '(CERO DÓLARES 00/100 USD)'],
    ['1.00', '(UN DÓLAR 00/100 USD)'],
    ['21.50', '(VEINTIÚN DÓLARES 50/100 USD)'],
    ['1160.05', '(MIL CIENTO SESENTA DÓLARES 05/100 USD)'],
    ['1000000.00', '(UN MILLÓN DE DÓLARES 00/100 USD)'],
    ['2000001.99', '(DOS MILLONES UN DÓLARES 99/100 USD)'],
  ] as const) {
    it(`${amount} USD is «${words}»`, () => {
      assert.equal(amountInWords(amount, 'USD', 'MX'), words);
    });
  }

  for (const [currency, country] of [
    ['EUR', 'MX'],
    ['CLP', 'MX'],
    ['MXN', 'US'],
    ['USD', 'CO'],
    ['USD', 'US'],
  ] as const) {
    it(`${currency} in ${country} has no amount in words`, () => {
      assert.equal(amountInWords('1.00', currency, country), undefined);
    });
  }
});
