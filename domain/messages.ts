import { messageLimitReached } from './request-refusals.ts';
import { addDays, dayOf, startOfDay, type TimeZone } from './zone.ts';

/** Messages about a quote: change requests of its client, and what the business writes to the client. */

/** From the client, or to the client. */
export const MESSAGE_DIRECTIONS = ['inbound', 'outbound'] as const;
export type MessageDirection = (typeof MESSAGE_DIRECTIONS)[number];

/** In code points. */
export const MAX_MESSAGE_LENGTH = 2_000;

/** Messages of one quote in a day of the business. */
const MAX_A_DAY: Readonly<Record<MessageDirection, number>> = { inbound: 10, outbound: 20 };

/** The beginning of the business's day. */
export const dayBegins = (now: Date, timeZone: TimeZone): Date => startOfDay(dayOf(now, timeZone), timeZone);

/** Throws a 429 until the next day of the business when a quote has had that day's messages. */
export function assertMayWrite(
  direction: MessageDirection,
  { today, now, timeZone }: { readonly today: number; readonly now: Date; readonly timeZone: TimeZone },
): void {
  if (today < MAX_A_DAY[direction]) return;
  const tomorrow = startOfDay(addDays(dayOf(now, timeZone), 1), timeZone);
  throw messageLimitReached(Math.max(1, Math.ceil((tomorrow.getTime() - now.getTime()) / 1000)));
}

/** Kinds of mails about a message: to members about a change request, and to the client. */
export const MESSAGE_MAILS = ['change_request', 'quote_message'] as const;
export type MessageMailKind = (typeof MESSAGE_MAILS)[number];
