/** Shutdown of a launcher: undoes what was started, in reverse order, once. */

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

export interface Ending {
  /** Aborted by the first signal. */
  readonly signal: AbortSignal;
  /** Resolves on the first signal. */
  readonly requested: Promise<void>;
  /** Registers how to undo the step just done. */
  readonly later: (undo: () => void | Promise<void>) => void;
  /** Undoes everything, last first; a failure does not prevent the remaining steps. */
  readonly undo: () => Promise<void>;
}

/**
 * Listens for the signals that end a program. `onFirst` is called for the first signal, `onSecond` for any later one.
 */
export function watchForEnd(onFirst: () => void, onSecond: () => never): Ending {
  const controller = new AbortController();
  const undos: (() => void | Promise<void>)[] = [];
  const requested = new Promise<void>((resolve) => {
    for (const name of SIGNALS) {
      process.on(name, () => {
        if (controller.signal.aborted) onSecond();
        onFirst();
        controller.abort();
        resolve();
      });
    }
  });
  return {
    signal: controller.signal,
    requested,
    later: (undo) => void undos.push(undo),
    undo: async () => {
      for (let undo = undos.pop(); undo; undo = undos.pop()) {
        try {
          await undo();
        } catch (error) {
          console.error(error);
        }
      }
    },
  };
}
