import { localTime, type TimeZone } from './zone.ts';

/** How the number of a quote is written for people: a text with one number in it. */

export const DEFAULT_NUMBER_FORMAT = 'COT-{number}';
export const MAX_QUOTE_NUMBER = 999_999_999;

const PLACEHOLDER = /\{(number(?::[1-9])?|year|yy|month)\}/g;

/** What is wrong with a format, if anything. */
export function numberFormatProblem(format: string): string | undefined {
  if (!/^[A-Za-z0-9 ._/-]*$/.test(format.replace(PLACEHOLDER, '')))
    return 'solo admite letras de la A a la Z, cifras, espacios, los signos . _ / - y {number}, {number:1} a {number:9}, {year}, {yy} y {month}';
  const numbers = [...format.matchAll(PLACEHOLDER)].filter(([, name = '']) => name.startsWith('number'));
  return numbers.length === 1 ? undefined : 'debe tener {number} exactamente una vez';
}

/** The number of a quote as people see it; year and month are those of its creation. */
export function displayNumberOf(
  format: string,
  { quoteNumber, createdAt, timeZone }: { quoteNumber: number; createdAt: Date; timeZone: TimeZone },
): string {
  if (format === DEFAULT_NUMBER_FORMAT) return `COT-${quoteNumber}`;
  const { year, month } = localTime(createdAt, timeZone);
  return format.replace(PLACEHOLDER, (_, name: string) => {
    if (name === 'year') return String(year);
    if (name === 'yy') return String(year % 100).padStart(2, '0');
    if (name === 'month') return String(month).padStart(2, '0');
    return String(quoteNumber).padStart(Number(name.slice('number:'.length)), '0');
  });
}

/** The stored number of a quote; rows of an earlier version have none. */
export const displayNumber = (quote: { readonly quoteNumber: number; readonly displayNumber: string | null }): string =>
  quote.displayNumber ?? `COT-${quote.quoteNumber}`;

/** The number in the name of a file: without characters that a file system or a header might change. */
export const fileNameOf = (displayNumber: string): string => displayNumber.replace(/[^A-Za-z0-9._-]/g, '-');
