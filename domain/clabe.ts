import type { Locale } from './locale.ts';
import { textsOf } from './texts/texts.ts';

/** CLABE: the 18 digits of a Mexican bank account (bank 3, place 3, account 11, check digit 1). */

const compact = (text: string): string => text.replace(/[\s-]/gu, '');

const WEIGHTS = [3, 7, 1];

/** The last digit, by the first 17. */
const checkDigit = (digits: string): number =>
  (10 - (Array.from(digits.slice(0, 17)).reduce((sum, digit, at) => sum + ((Number(digit) * (WEIGHTS[at % 3] ?? 0)) % 10), 0) % 10)) % 10; // prettier-ignore

/** Why a text is no CLABE, as a sentence for the caller; undefined when it is one. Spaces and hyphens are ignored. */
export function clabeProblem(text: string): string | undefined {
  const digits = compact(text);
  if (!/^\d{18}$/.test(digits)) return 'la CLABE debe tener 18 dígitos';
  return Number(digits[17]) === checkDigit(digits) ? undefined : 'el dígito de control de la CLABE no coincide';
}

/** A bank account for display: its label, its printed form, and the text that is copied. */
export interface Account {
  readonly label: string;
  readonly printed: string;
  readonly copied: string;
}

/**
 * In groups of 3-3-11-1 when it is a CLABE of a Mexican business; otherwise as typed, because foreign accounts have
 * other forms.
 */
export function accountOf(clabe: string, country: string, locale: Locale): Account {
  if (country !== 'MX') return { label: textsOf(locale).quote.account, printed: clabe, copied: clabe };
  if (clabeProblem(clabe)) return { label: 'CLABE', printed: clabe, copied: clabe };
  const digits = compact(clabe);
  return { label: 'CLABE', printed: digits.replace(/^(\d{3})(\d{3})(\d{11})(\d)$/, '$1 $2 $3 $4'), copied: digits };
}
