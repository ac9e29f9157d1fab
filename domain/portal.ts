import { alreadyAnswered, quoteLapsed, quoteNotFound, versionChanged } from './errors.ts';
import { isPast } from './expiry.ts';
import { formatMoney, formatUntil } from './format.ts';
import type { Locale } from './locale.ts';
import type { DecimalString } from './money.ts';
import { canMove, isFinal, type QuoteStatus } from './quote-status.ts';
import { textsOf } from './texts/texts.ts';
import type { TimeZone } from './zone.ts';

/** What a client can do with a quote on its page. */

/** The client's two decisions. */
export type Outcome = 'ACCEPTED' | 'REJECTED';

interface Answerable {
  readonly status: QuoteStatus;
  readonly version: number;
  readonly expiresAt: Date;
}

/** Whether the time to decide is over. A decided quote no longer lapses. */
export const hasLapsed = ({ status, expiresAt }: Pick<Answerable, 'status' | 'expiresAt'>, now: Date): boolean =>
  !isFinal(status) && isPast(expiresAt, now);

/** Whether the client may still decide. */
export const canRespond = (quote: Answerable, now: Date): boolean => quote.status === 'SENT' && !hasLapsed(quote, now);

/**
 * Whether a decision is `new`, or repeats the one that was `given` before and has no second effect. Throws 404 for a
 * quote that was never sent, 409 for one that was decided otherwise or is another version by now, 410 for one that has
 * lapsed.
 *
 * @param answer.version the version that the client was shown; a rejection names none
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

/**
 * Throws unless the client may ask for changes of the version that was shown: 404 for a quote that was never sent, 409 for
 * one that is final or another version by now, 410 for one that has lapsed.
 */
export function assertMayRequestChanges(quote: Answerable, version: number, now: Date): void {
  if (quote.status === 'GENERATED') throw quoteNotFound();
  if (isFinal(quote.status)) throw alreadyAnswered();
  if (version !== quote.version) throw versionChanged();
  if (hasLapsed(quote, now)) throw quoteLapsed();
}

/** The sentence that a client agrees to, word for word the same beside the checkbox and in the evidence. */
export function consentText(quote: {
  readonly displayNumber: string;
  readonly version: number;
  readonly total: DecimalString;
  readonly currency: string;
  readonly expiresAt: string;
  readonly timeZone: TimeZone;
  readonly locale: Locale;
}): string {
  const { displayNumber, version, total, currency, expiresAt, locale } = quote;
  return textsOf(locale).quote.consent(
    displayNumber,
    version,
    formatMoney(total, currency, locale),
    formatUntil(expiresAt, quote),
  );
}
