import { Decimal as BaseDecimal } from 'decimal.js';

/** Amounts: exact decimals, rounded half-up (away from zero), never binary floats. */

// 60 digits: with the default of 20 a product of price, quantity and discount would be rounded twice.
export const Decimal = BaseDecimal.clone({ precision: 60, rounding: BaseDecimal.ROUND_HALF_UP });
export type Decimal = BaseDecimal;

declare const unit: unique symbol;

/** An exact amount, rounded to its currency's minor unit. */
export type Money = BaseDecimal & { readonly [unit]: 'money' };

/** An exact decimal as in the database and in JSON, for example "1160.00". */
export type DecimalString = string;

/** A decimal as input: a JSON number, a decimal string of the database, or a Decimal. */
export type DecimalInput = number | DecimalString | BaseDecimal;

/** Tax rate of a tenant without one of its own. 0.16 = 16 %. */
export const DEFAULT_TAX_RATE: DecimalString = '0.16';

/** The largest total of a quote. */
export const MAX_TOTAL = new Decimal('9999999999.99');

/** Currencies whose minor units are not two (ISO 4217). */
const MINOR_UNITS: Readonly<Record<string, number>> = {
  BIF: 0, CLP: 0, DJF: 0, GNF: 0, ISK: 0, JPY: 0, KMF: 0, KRW: 0, PYG: 0, RWF: 0, UGX: 0, UYI: 0, VND: 0, VUV: 0,
  XAF: 0, XOF: 0, XPF: 0, BHD: 3, IQD: 3, JOD: 3, KWD: 3, LYD: 3, OMR: 3, TND: 3,
}; // prettier-ignore

/** The current ISO 4217 codes of countries' and unions' money. */
export const CURRENCIES: readonly string[] = (
  'AED AFN ALL AMD ANG AOA ARS AUD AWG AZN BAM BBD BDT BGN BHD BIF BMD BND BOB BRL BSD BTN BWP BYN BZD CAD CDF CHF ' +
  'CLP CNY COP CRC CUP CVE CZK DJF DKK DOP DZD EGP ERN ETB EUR FJD FKP GBP GEL GHS GIP GMD GNF GTQ GYD HKD HNL HTG ' +
  'HUF IDR ILS INR IQD IRR ISK JMD JOD JPY KES KGS KHR KMF KPW KRW KWD KYD KZT LAK LBP LKR LRD LSL LYD MAD MDL MGA ' +
  'MKD MMK MNT MOP MRU MUR MVR MWK MXN MYR MZN NAD NGN NIO NOK NPR NZD OMR PAB PEN PGK PHP PKR PLN PYG QAR RON RSD ' +
  'RUB RWF SAR SBD SCR SDG SEK SGD SHP SLE SOS SRD SSP STN SVC SYP SZL THB TJS TMT TND TOP TRY TTD TWD TZS UAH UGX ' +
  'USD UYI UYU UZS VED VES VND VUV WST XAF XCD XCG XOF XPF YER ZAR ZMW ZWG'
).split(' ');
const ISO_4217 = new Set(CURRENCIES);

/** Whether the code is a current ISO 4217 currency, upper case. */
export const isCurrency = (code: string): boolean => ISO_4217.has(code);

/** Digits after the point of a currency's smallest unit: 2 for MXN, 0 for JPY, 3 for KWD. */
export const minorUnits = (currency: string): number => MINOR_UNITS[currency] ?? 2;

/** Half-up to the currency's minor units. */
export const roundMoney = (amount: BaseDecimal, currency: string): Money =>
  amount.toDecimalPlaces(minorUnits(currency), Decimal.ROUND_HALF_UP) as Money;

/** Digits after the point of a decimal, without trailing zeros: 0.1250 has 3. */
export const decimalPlaces = (value: DecimalInput): number => new Decimal(value).decimalPlaces();

/** "10.00", "0.125": at least two digits after the point, never an exponent, never "-0.00". */
export function decimalString(value: DecimalInput, atLeast = 2): DecimalString {
  if (typeof value === 'string' && atLeast > 0 && PLAIN.test(value)) return withDigits(value, atLeast);
  const exact = new Decimal(value);
  // toFixed writes minus zero without its sign.
  return exact.toFixed(Math.max(atLeast, exact.decimalPlaces()));
}

/** For decimals as the database writes them. Uses no arithmetic, because a list shows a hundred of them. */
const PLAIN = /^(?:0|[1-9]\d*)\.\d+$/;

/**
 * Removes trailing zeros, or adds them, until that many digits stand after the point or the last digit is significant.
 */
function withDigits(text: string, atLeast: number): DecimalString {
  const shortest = text.indexOf('.') + 1 + atLeast;
  let end = text.length;
  while (end > shortest && text.endsWith('0', end)) end -= 1;
  return text.slice(0, end).padEnd(shortest, '0');
}

/** An amount as reads show it: two decimals, three where the currency has three. */
export const moneyString = (value: DecimalInput, currency: string): DecimalString =>
  decimalString(value, Math.max(2, minorUnits(currency)));

/** An amount as a JSON number, for responses that show numbers. Exact up to MAX_TOTAL. */
export function decimalNumber(value: DecimalInput): number {
  const number = new Decimal(value).toNumber();
  return Object.is(number, -0) ? 0 : number;
}
