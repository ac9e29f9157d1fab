/**
 * Whether this process stood still: it was stopped, its machine was paused, or its event loop held up. What it had asked
 * Temporal for comes in as soon as it goes on, long after Temporal gave it up and had it done elsewhere.
 */

const LOOK_EVERY_MS = 500;
/** Milliseconds between two looks that are no busy machine any more. */
const STANDSTILL_MS = 2_000;
/** What waited for the process reaches it within so long, on a busy machine too. */
const COMES_WITHIN_MS = 15_000;

/**
 * Watches from now on. Returns a function that says whether what was scheduled then (milliseconds since the epoch, by
 * Temporal's clock) may have waited for this process while it stood still. Where the two clocks are minutes apart it may say
 * yes for a quarter of a minute after a standstill, or never.
 */
export function watchStandstill(): (scheduledMs: number) => boolean {
  // By the clock of the day: the other one stands still with a machine that is paused.
  let lookedAt = Date.now();
  let wentOnAt = -Infinity;
  const look = () => {
    const now = Date.now();
    if (now - lookedAt > STANDSTILL_MS) wentOnAt = now;
    lookedAt = now;
  };
  setInterval(look, LOOK_EVERY_MS).unref();
  return (scheduledMs) => {
    // The work may come before the timer.
    look();
    return scheduledMs < wentOnAt && lookedAt - wentOnAt < COMES_WITHIN_MS;
  };
}
