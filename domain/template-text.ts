import type { AutomationFacts } from './automation.ts';
import { cleanLine } from './clean-text.ts';
import { formatAmount, formatUntil } from './format.ts';

/**
 * Texts with `{{variables}}`. Plain substitution in one pass: inserted values are never parsed again, so braces in a
 * client's name stay braces.
 */

const VARIABLES: Readonly<Record<string, (facts: AutomationFacts) => string | null>> = {
  'quote.quoteNumber': ({ quote }) => String(quote.quoteNumber),
  'quote.displayNumber': ({ quote }) => quote.displayNumber,
  'quote.status': ({ quote }) => quote.status,
  'quote.subtotal': ({ quote, business }) => formatAmount(quote.subtotal, quote.currency, business.locale),
  'quote.tax': ({ quote, business }) => formatAmount(quote.tax, quote.currency, business.locale),
  'quote.total': ({ quote, business }) => formatAmount(quote.total, quote.currency, business.locale),
  'quote.currency': ({ quote }) => quote.currency,
  'quote.notes': ({ quote }) => quote.notes,
  'quote.expiresAt': ({ quote, business }) => formatUntil(quote.expiresAt, business),
  'quote.url': ({ quote }) => quote.url,
  'client.contactName': ({ client }) => client.contactName,
  'client.companyName': ({ client }) => client.companyName,
  'client.email': ({ client }) => client.email,
  'client.phone': ({ client }) => client.phone,
  'business.companyName': ({ business }) => business.companyName,
  'business.email': ({ business }) => business.email,
  'business.phone': ({ business }) => business.phone,
  'user.name': ({ user }) => user.name,
};
export const TEXT_VARIABLES: readonly string[] = Object.keys(VARIABLES);

const PLACEHOLDER = /\{\{([^{}]*)\}\}/g;

const variable = (name: string) => (Object.hasOwn(VARIABLES, name) ? VARIABLES[name] : undefined);

/** The unknown variables of a text. A text that has any is refused when it is saved. */
export function unknownVariables(text: string): readonly string[] {
  const names = [...text.matchAll(PLACEHOLDER)].map(([, name = '']) => name.trim());
  return [...new Set(names)].filter((name) => !variable(name));
}

/** Whether the text mentions the variable. */
export const mentions = (text: string, name: string): boolean =>
  [...text.matchAll(PLACEHOLDER)].some(([, mentioned = '']) => mentioned.trim() === name);

/** The text with its variables replaced; a variable that is unknown or has no value becomes "". */
export const renderText = (text: string, facts: AutomationFacts): string =>
  text.replace(PLACEHOLDER, (_, name: string) => variable(name.trim())?.(facts) ?? '');

const MAX_LINE_LENGTH = 255;

/** As renderText, for a subject or title: the result is one line, whatever the values hold. */
export function renderLine(text: string, facts: AutomationFacts): string {
  const line = cleanLine(renderText(text, facts));
  // By code points: a cut inside a surrogate pair would leave half a character.
  return Array.from(line).slice(0, MAX_LINE_LENGTH).join('');
}
