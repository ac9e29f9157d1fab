import type { Locale } from './locale.ts';
import { textsOf } from './texts/texts.ts';

/** Tax ids of businesses and clients: their name in each country, and the check of Mexican ones. */

/** Countries where all businesses use the same name for the tax id. */
const LABELS: Readonly<Record<string, string>> = {
  MX: 'RFC', CO: 'NIT', GT: 'NIT', SV: 'NIT', BO: 'NIT', CL: 'RUT', UY: 'RUT', AR: 'CUIT', PE: 'RUC', EC: 'RUC',
  PY: 'RUC', PA: 'RUC', NI: 'RUC', DO: 'RNC', BR: 'CNPJ',
}; // prettier-ignore

export const taxIdLabel = (country: string, locale: Locale): string => LABELS[country] ?? textsOf(locale).quote.taxId;

/** A party of a quote: the members that concern its tax id. */
export interface Taxpayer {
  readonly taxId: string | null;
  /** ISO 3166-1 alpha-2. */
  readonly country: string;
}

/** "RFC", "GODE561231GR8"; undefined without a tax id. A valid one is shown without spaces and in capitals. */
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

/** What documents show under a business's name, one line each: its legal name, if different, and its tax id. */
export const legalIdentity = (
  business: Taxpayer & { readonly companyName: string; readonly legalName: string | null },
  locale: Locale,
): readonly string[] =>
  [business.legalName === business.companyName ? null : business.legalName, taxIdLine(business, locale)].flatMap(
    (text) => (text ? [text] : []),
  );

/** What is wrong with a tax id, as a sentence; undefined when it is valid or its country's rules are unknown. */
export const taxIdProblem = (taxId: string, country: string): string | undefined =>
  country === 'MX' ? rfcProblem(taxId) : undefined;

const compact = (text: string): string => text.normalize('NFC').replace(/[\s-]/gu, '').toUpperCase();

/** Name (three letters for a company, four for a person), date of birth or foundation, two characters, check digit. */
const RFC = /^[A-ZÑ&]{3,4}(\d{2})(\d{2})(\d{2})[A-Z\d]{2}[A\d]$/u;

/**
 * The generic ids that the tax authority assigned to the general public and to foreigners; they have no check digit.
 */
const GENERIC: ReadonlySet<string> = new Set(['XAXX010101000', 'XEXX010101000']);

function rfcProblem(taxId: string): string | undefined {
  const rfc = compact(taxId);
  if (GENERIC.has(rfc)) return undefined;
  const [, year = '', month = '', day = ''] = RFC.exec(rfc) ?? [];
  if (!isDay(Number(year), Number(month), Number(day))) return 'no tiene la forma de un RFC';
  return rfc.at(-1) === checkDigit(rfc) ? undefined : 'el dígito verificador del RFC no coincide';
}

/** The century is not part of it, so 29 February is valid in leap years of either. */
const isDay = (year: number, month: number, day: number): boolean =>
  new Date(Date.UTC(2000 + year, month - 1, day)).getUTCDate() === day && month >= 1 && month <= 12 && day >= 1;

/** In the order of their values, 0 to 38. A company's three letters are padded with a leading space. */
const SIGNS = '0123456789ABCDEFGHIJKLMN&OPQRSTUVWXYZ Ñ';

function checkDigit(rfc: string): string {
  const body = rfc.slice(0, -1).padStart(12, ' ');
  const sum = Array.from(body).reduce((total, sign, at) => total + SIGNS.indexOf(sign) * (13 - at), 0);
  const digit = (11 - (sum % 11)) % 11;
  return digit === 10 ? 'A' : String(digit);
}
