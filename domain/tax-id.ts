import type { Locale } from './locale.ts';
import { textsOf } from './texts/texts.ts';

/** Tax ids of businesses and clients: what a country calls them, and how Mexico's are checked. */

/** The countries whose name for a tax id every business there uses. */
const LABELS: Readonly<Record<string, string>> = {
  MX: 'RFC', CO: 'NIT', GT: 'NIT', SV: 'NIT', BO: 'NIT', CL: 'RUT', UY: 'RUT', AR: 'CUIT', PE: 'RUC', EC: 'RUC',
  PY: 'RUC', PA: 'RUC', NI: 'RUC', DO: 'RNC', BR: 'CNPJ',
}; // prettier-ignore

export const taxIdLabel = (country: string, locale: Locale): string => LABELS[country] ?? textsOf(locale).quote.taxId;

/** A party of a quote, as far as its tax id is concerned. */
export interface Taxpayer {
  readonly taxId: string | null;
  /** ISO 3166-1 alpha-2. */
  readonly country: string;
}

/** "RFC", "GODE561231GR8"; undefined without a tax id. One that is right is printed without spaces and in capitals. */
export function printedTaxId(
  { taxId, country }: Taxpayer,
  locale: Locale,
): readonly [label: string, value: string] | undefined {
  if (taxId === null || taxId.trim() === '') return undefined;
  const isRight = country === 'MX' && rfcProblem(taxId) === undefined;
  return [taxIdLabel(country, locale), isRight ? compact(taxId) : taxId.replace(/\s+/gu, ' ')];
}

/** "RFC: GODE561231GR8" */
export const taxIdLine = (taxpayer: Taxpayer, locale: Locale): string | null =>
  printedTaxId(taxpayer, locale)?.join(': ') ?? null;

/** What papers say of a business under its name: its legal name, where that is another, and its tax id; a line each. */
export const legalIdentity = (
  business: Taxpayer & { readonly companyName: string; readonly legalName: string | null },
  locale: Locale,
): readonly string[] =>
  [business.legalName === business.companyName ? null : business.legalName, taxIdLine(business, locale)].flatMap(
    (text) => (text ? [text] : []),
  );

/** What is wrong with a tax id, in a sentence; undefined where it is right or its country's rules are not known. */
export const taxIdProblem = (taxId: string, country: string): string | undefined =>
  country === 'MX' ? rfcProblem(taxId) : undefined;

const compact = (text: string): string => text.normalize('NFC').replace(/[\s-]/gu, '').toUpperCase();

/** Name (three letters of a company, four of a person), day of birth or foundation, two signs, check digit. */
const RFC = /^[A-ZÑ&]{3,4}(\d{2})(\d{2})(\d{2})[A-Z\d]{2}[A\d]$/u;

/** Those that the tax authority gave for the general public and for foreigners: nobody's, so without a check digit. */
const GENERIC: ReadonlySet<string> = new Set(['XAXX010101000', 'XEXX010101000']);

function rfcProblem(taxId: string): string | undefined {
  const rfc = compact(taxId);
  if (GENERIC.has(rfc)) return undefined;
  const [, year = '', month = '', day = ''] = RFC.exec(rfc) ?? [];
  if (!isDay(Number(year), Number(month), Number(day))) return 'no tiene la forma de un RFC';
  return rfc.at(-1) === checkDigit(rfc) ? undefined : 'el dígito verificador del RFC no coincide';
}

/** The century is not written: the 29th of February stands in leap years of either. */
const isDay = (year: number, month: number, day: number): boolean =>
  new Date(Date.UTC(2000 + year, month - 1, day)).getUTCDate() === day && month >= 1 && month <= 12 && day >= 1;

/** In the order of their values, 0 to 38. A company's three letters stand behind a space. */
const SIGNS = '0123456789ABCDEFGHIJKLMN&OPQRSTUVWXYZ Ñ';

function checkDigit(rfc: string): string {
  const body = rfc.slice(0, -1).padStart(12, ' ');
  const sum = Array.from(body).reduce((total, sign, at) => total + SIGNS.indexOf(sign) * (13 - at), 0);
  const digit = (11 - (sum % 11)) % 11;
  return digit === 10 ? 'A' : String(digit);
}
