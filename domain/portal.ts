import { alreadyAnswered, quoteLapsed, quoteNotFound, versionChanged } from './errors.ts';
import { isPast } from './expiry.ts';
import { formatMoney, formatUntil } from './format.ts';
import type { Locale } from './locale.ts';
import type { DecimalString } from './money.ts';
import { quoteLabel } from './quote-drawing.ts';
import { canMove, isFinal, type QuoteStatus } from './quote-status.ts';
import { textsOf } from './texts/texts.ts';
import type { TimeZone } from './zone.ts';

/** What a client does with a quote on its page, and the words they do it with (decisions, section 5). */

/** The two answers of a client. */
export type Outcome = 'ACCEPTED' | 'REJECTED';

interface Answerable {
  readonly status: QuoteStatus;
  readonly version: number;
  readonly expiresAt: Date;
}

/** Whether the time to answer is over. What was answered does not lapse any more. */
export const hasLapsed = ({ status, expiresAt }: Pick<Answerable, 'status' | 'expiresAt'>, now: Date): boolean =>
  !isFinal(status) && isPast(expiresAt, now);

/** Whether the client may still answer. */
export const canRespond = (quote: Answerable, now: Date): boolean => quote.status === 'SENT' && !hasLapsed(quote, now);

/**
 * Whether an answer is `new`, or the one that was `given` before and has no second effect. Throws 404 for a quote that
 * was never sent, 409 for one that was answered otherwise or is another version by now, 410 for one that has lapsed.
 *
 * @param answer.version the one that the client was shown; a rejection names none
 */
export function judgeAnswer(
  quote: Answerable,
  answer: { readonly outcome: Outcome; readonly version?: number | undefined },
  now: Date,
): 'new' | 'given' {
  if (quote.status === 'GENERATED') throw quoteNotFound();
  const sameVersion = answer.version === undefined || answer.version === quote.version;
  if (quote.status === answer.outcome && sameVersion) return 'given';
  if (!canMove('portal', quote.status, answer.outcome)) throw alreadyAnswered();
  if (!sameVersion) throw versionChanged();
  if (hasLapsed(quote, now)) throw quoteLapsed();
  return 'new';
}

/** The sentence a client agrees to; it stands beside the box on the page and in the evidence, word for word. */
export function consentText(quote: {
  readonly quoteNumber: number;
  readonly version: number;
  readonly total: DecimalString;
  readonly currency: string;
  readonly expiresAt: string;
  readonly timeZone: TimeZone;
  readonly locale: Locale;
}): string {
  const { quoteNumber, version, total, currency, expiresAt, locale } = quote;
  return textsOf(locale).quote.consent(
    quoteLabel(quoteNumber),
    version,
    formatMoney(total, currency, locale),
    formatUntil(expiresAt, quote),
  );
}
