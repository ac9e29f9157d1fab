/** The process as its parent or supervisor sees it: readiness and shutdown. */

/** Reports readiness to a parent that started us with an IPC channel. */
export const reportReady = (): void => void process.send?.({ ready: true });

/**
 * Runs `stop` once on SIGTERM, SIGINT or, with an IPC channel, when the parent is gone; then exits with 0. A stop that
 * fails or takes longer than `graceMs` exits with 1.
 */
export function onShutdown(stop: () => Promise<void>, graceMs = 14_000): void {
  let stopping = false;
  const begin = () => {
    if (stopping) return;
    stopping = true;
    setTimeout(() => process.exit(1), graceMs).unref();
    stop().then(
      () => process.exit(0),
      () => process.exit(1),
    );
  };
  process.once('SIGTERM', begin);
  process.once('SIGINT', begin);
  process.once('disconnect', begin);
}
