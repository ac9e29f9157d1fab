/** When a delivery that failed is retried. */

/** Seconds before attempts 2 to 10; the first attempt has no pause. 75 h 35 m in all. */
export const RETRY_PAUSES_S: readonly number[] = [5, 300, 1_800, 7_200, 18_000, 36_000, 50_400, 72_000, 86_400];

/** Jitter of ± 20 %, so that deliveries that failed together are not retried together. */
const JITTER = 0.2;
/** A Retry-After is honoured up to this multiple of the scheduled pause. */
const MAX_RETRY_AFTER_FACTOR = 2;

/** How many attempts a delivery has with these pauses. */
export const attemptsOf = (pausesS: readonly number[]): number => pausesS.length + 1;

/**
 * Milliseconds until the next attempt after that many finished ones; undefined when that was the last. `retryAfter` is
 * the endpoint's header, in seconds or as a date; `random` is between 0 and 1.
 */
export function pauseAfter(
  finishedAttempts: number,
  {
    pausesS,
    retryAfter,
    random,
    now,
  }: { pausesS: readonly number[]; retryAfter: string | null; random: number; now: Date },
): number | undefined {
  const step = pausesS[finishedAttempts - 1];
  if (step === undefined) return undefined;
  const jittered = step * 1000 * (1 + JITTER * (2 * random - 1));
  const requestedMs = Math.min(retryAfterMs(retryAfter, now), MAX_RETRY_AFTER_FACTOR * step * 1000);
  return Math.round(Math.max(jittered, requestedMs));
}

/**
 * The longest that a delivery which is due may be throttled, in milliseconds, after so many attempts that ended: until the
 * attempt after the next would be due. The second pause counts for the first, which is too short to retry in.
 */
export const maxThrottleMs = (finishedAttempts: number, pausesS: readonly number[]): number =>
  (pausesS[Math.min(Math.max(finishedAttempts, 1), pausesS.length - 1)] ?? 0) * 1000;

// RFC 9110 allows seconds or one of three date forms. Date.parse alone accepts any text with a number in it.
const SECONDS = /^\d+$/;
const HTTP_DATE = /^(Mon|Tues?|Wed(nes)?|Thu(rs)?|Fri|Sat(ur)?|Sun)(day)?,? .*\d\d:\d\d:\d\d/;

/** What a Retry-After asks for, in milliseconds from now; 0 when it cannot be understood. */
function retryAfterMs(retryAfter: string | null, now: Date): number {
  if (retryAfter === null) return 0;
  if (SECONDS.test(retryAfter)) return Number(retryAfter) * 1000;
  if (!HTTP_DATE.test(retryAfter)) return 0;
  // The oldest form names no time zone; all three are in UTC.
  const at = Date.parse(retryAfter.endsWith('GMT') ? retryAfter : `${retryAfter} GMT`);
  return Number.isNaN(at) ? 0 : at - now.getTime();
}
