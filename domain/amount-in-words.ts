import type { DecimalString } from './money.ts';

/** What follows the figure on a Mexican document: the noun in singular and plural, and the currency's sign. */
const UNITS: Readonly<Record<string, readonly [one: string, many: string, sign: string]>> = {
  MXN: ['PESO', 'PESOS', 'M.N.'],
  USD: ['DÓLAR', 'DÓLARES', 'USD'],
};

/** The amount in words as Mexican commercial documents spell it; undefined for other countries and currencies. */
export function amountInWords(amount: DecimalString, currency: string, country: string): string | undefined {
  const units = country === 'MX' ? UNITS[currency] : undefined;
  if (!units) return undefined;
  const [one, many, sign] = units;
  const [whole = '0', cents = ''] = amount.split('.');
  const count = BigInt(whole);
  const unit = count === 1n ? one : many;
  // «UN MILLÓN DE PESOS», yet «UN MILLÓN UN PESOS».
  const of = count > 0n && count % MILLION === 0n ? 'DE ' : '';
  return `(${cardinal(count)} ${of}${unit} ${cents.padEnd(2, '0').slice(0, 2)}/100 ${sign})`;
}

const MILLION = 1_000_000n;

// prettier-ignore
const UP_TO_29 = [
  '', 'UN', 'DOS', 'TRES', 'CUATRO', 'CINCO', 'SEIS', 'SIETE', 'OCHO', 'NUEVE', 'DIEZ', 'ONCE', 'DOCE', 'TRECE',
  'CATORCE', 'QUINCE', 'DIECISÉIS', 'DIECISIETE', 'DIECIOCHO', 'DIECINUEVE', 'VEINTE', 'VEINTIÚN', 'VEINTIDÓS',
  'VEINTITRÉS', 'VEINTICUATRO', 'VEINTICINCO', 'VEINTISÉIS', 'VEINTISIETE', 'VEINTIOCHO', 'VEINTINUEVE',
];
// prettier-ignore
const TENS = ['', '', '', 'TREINTA', 'CUARENTA', 'CINCUENTA', 'SESENTA', 'SETENTA', 'OCHENTA', 'NOVENTA'];
// prettier-ignore
const HUNDREDS = [
  '', 'CIENTO', 'DOSCIENTOS', 'TRESCIENTOS', 'CUATROCIENTOS', 'QUINIENTOS', 'SEISCIENTOS', 'SETECIENTOS',
  'OCHOCIENTOS', 'NOVECIENTOS',
];
/** Spanish counts in steps of a million: its billón is 10^12. */
const SCALES = [
  ['', ''],
  ['MILLÓN', 'MILLONES'],
  ['BILLÓN', 'BILLONES'],
  ['TRILLÓN', 'TRILLONES'],
] as const;

/** A whole number below 10^24 as it stands before a masculine noun: UN, VEINTIÚN, TREINTA Y UN. */
function cardinal(number: bigint): string {
  if (number === 0n) return 'CERO';
  const words: string[] = [];
  let rest = number;
  for (const [one, many] of SCALES) {
    const group = Number(rest % MILLION);
    if (group > 0) words.unshift(joined(belowMillion(group), group === 1 ? one : many));
    rest /= MILLION;
  }
  return joined(...words);
}

function belowMillion(number: number): string {
  const thousands = Math.floor(number / 1000);
  const mil = thousands === 1 ? 'MIL' : joined(belowThousand(thousands), 'MIL');
  return joined(thousands > 0 ? mil : '', belowThousand(number % 1000));
}

function belowThousand(number: number): string {
  if (number === 100) return 'CIEN';
  return joined(HUNDREDS[Math.floor(number / 100)], belowHundred(number % 100));
}

function belowHundred(number: number): string {
  if (number < UP_TO_29.length) return UP_TO_29[number] ?? '';
  const ones = number % 10;
  return joined(TENS[Math.floor(number / 10)], ones > 0 ? 'Y' : '', UP_TO_29[ones]);
}

const joined = (...words: readonly (string | undefined)[]): string => words.filter(Boolean).join(' ');
