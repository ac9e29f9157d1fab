import type { Detail } from './errors.ts';
import { Decimal, type DecimalInput, type DecimalString } from './money.ts';

/** Taxes of a business, and of a quote, where they are frozen. */

/** A transfer is added to the total, a withholding is subtracted; an exempt tax has the rate 0 and is listed. */
export const TAX_KINDS = ['transfer', 'withholding', 'exempt'] as const;
export type TaxKind = (typeof TAX_KINDS)[number];

export interface TaxDefinition {
  readonly code: string;
  readonly name: string;
  readonly kind: TaxKind;
  /** "0.16" = 16 %. */
  readonly rate: DecimalString;
}

/** A tax of a quote as it is stored. */
export interface TaxOfQuote extends TaxDefinition {
  /** What it is computed from; null for a code that only lines have which do not count. */
  readonly base: DecimalString | null;
  readonly amount: DecimalString | null;
}

/** A tax that is part of a quote's amounts. */
export type AppliedTax = TaxDefinition & { readonly base: DecimalString; readonly amount: DecimalString };

/** The code of the business's tax rate, for lines that name no codes. */
export const DEFAULT_CODE = 'DEFAULT';

export const MAX_TAXES = 20;
export const MAX_TAXES_OF_LINE = 5;

const MEXICAN_TAXES: readonly TaxDefinition[] = [
  { code: 'IVA16', name: 'IVA 16 %', kind: 'transfer', rate: '0.16' },
  { code: 'IVA8', name: 'IVA 8 %', kind: 'transfer', rate: '0.08' },
  { code: 'IVA0', name: 'IVA 0 %', kind: 'transfer', rate: '0.00' },
  { code: 'EXENTO', name: 'Exento de IVA', kind: 'exempt', rate: '0.00' },
  { code: 'RET_ISR10', name: 'Retención de ISR 10 %', kind: 'withholding', rate: '0.10' },
  { code: 'RET_IVA', name: 'Retención de IVA', kind: 'withholding', rate: '0.106667' },
];

/** The taxes of a business that has not chosen its own. */
const taxesOfCountry = (country: string): readonly TaxDefinition[] => (country === 'MX' ? MEXICAN_TAXES : []);

/** The tax table of a business. Only validated tables are stored. */
export const taxTable = ({ taxes, country }: { taxes: string | null; country: string }): readonly TaxDefinition[] =>
  taxes === null ? taxesOfCountry(country) : (JSON.parse(taxes) as readonly TaxDefinition[]);

/** The tax of lines that name no codes. */
export const defaultTax = (rate: DecimalString, country: string): TaxDefinition => ({
  code: DEFAULT_CODE,
  name: country === 'MX' ? 'IVA' : 'Impuesto',
  kind: 'transfer',
  rate,
});

/** What is wrong with a tax table beyond the form of its members. */
export function tableProblems(
  taxes: readonly { readonly code: string; readonly kind: TaxKind; readonly rate: DecimalInput }[],
): readonly Detail[] {
  return taxes.flatMap(({ code, kind, rate }, index) => {
    const problems: Detail[] = [];
    if (code === DEFAULT_CODE) problems.push({ path: `taxes.${index}.code`, message: 'DEFAULT está reservado' });
    if (taxes.findIndex((other) => other.code === code) < index)
      problems.push({ path: `taxes.${index}.code`, message: 'está repetido' });
    if (kind === 'exempt' && !new Decimal(rate).isZero())
      problems.push({ path: `taxes.${index}.rate`, message: 'debe ser 0 en un impuesto exento' });
    return problems;
  });
}

/** What is wrong with the codes of a line or of shipping. */
export function codeProblems(
  path: string,
  codes: readonly string[],
  definitions: ReadonlyMap<string, TaxDefinition>,
): readonly Detail[] {
  const problems = codes.flatMap((code, index) => {
    const at = `${path}.${index}`;
    if (codes.indexOf(code) < index) return [{ path: at, message: 'está repetido' }];
    if (definitions.has(code)) return [];
    return [{ path: at, message: `el impuesto «${code}» no existe` }];
  });
  const hasExempt = codes.some((code) => definitions.get(code)?.kind === 'exempt');
  if (hasExempt && new Set(codes).size > 1)
    problems.push({ path, message: 'un impuesto exento no puede llevar otros a su lado' });
  return problems;
}

/** The taxes of a quote that are part of its amounts. */
export const appliedTaxes = (taxes: readonly TaxOfQuote[]): readonly AppliedTax[] =>
  taxes.filter((tax): tax is AppliedTax => tax.base !== null && tax.amount !== null);

interface StoredTaxes {
  readonly taxes: string | null;
  readonly taxRate: DecimalString;
  readonly subtotal: DecimalString;
  readonly tax: DecimalString;
}

/** The frozen taxes of a quote. Rows of an earlier version have none stored: they have the default tax. */
export const taxesOfQuote = ({ taxes, taxRate, subtotal, tax }: StoredTaxes): readonly TaxOfQuote[] =>
  taxes === null
    ? [{ ...defaultTax(taxRate, 'MX'), base: subtotal, amount: tax }]
    : (JSON.parse(taxes) as readonly TaxOfQuote[]);

/** The codes of a line or of shipping as they are stored: null for none given, "" for untaxed. */
export const joinCodes = (codes: readonly string[] | null | undefined): string | null => codes?.join(',') ?? null;
export const splitCodes = (stored: string | null | undefined): readonly string[] | null =>
  stored === null || stored === undefined ? null : stored.split(',').filter(Boolean);
