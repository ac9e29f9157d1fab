/**
 * Detects that this process was paused: stopped, with its machine suspended, or with its event loop blocked. Activity tasks
 * that it had polled for arrive when it continues, long after Temporal gave them to another worker.
 */

const CHECK_INTERVAL_MS = 500;
/** A longer gap between two checks is a pause; shorter ones happen on a busy machine. */
const MIN_PAUSE_MS = 2_000;
/** Tasks that waited for the process arrive within this time after it continued. */
const ARRIVAL_WINDOW_MS = 15_000;

/**
 * Watches from now on. Returns a function that says whether a task scheduled then (milliseconds since the epoch, by
 * Temporal's clock) may have waited for this process while it was paused. If the two clocks are minutes apart, it may say
 * yes for a quarter of a minute after a pause, or never.
 */
export function watchProcessPauses(): (scheduledMs: number) => boolean {
  // The wall clock: the monotonic one stops with a suspended machine.
  let checkedAt = Date.now();
  let continuedAt = -Infinity;
  const check = () => {
    const now = Date.now();
    if (now - checkedAt > MIN_PAUSE_MS) continuedAt = now;
    checkedAt = now;
  };
  setInterval(check, CHECK_INTERVAL_MS).unref();
  return (scheduledMs) => {
    // The task may arrive before the timer fires.
    check();
    return scheduledMs < continuedAt && checkedAt - continuedAt < ARRIVAL_WINDOW_MS;
  };
}
