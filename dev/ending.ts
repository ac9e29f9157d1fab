/** How a launcher comes to its end: what was started is undone backwards, once. */

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

export interface Ending {
  /** Aborted by the first signal. */
  readonly signal: AbortSignal;
  /** Resolves on the first signal. */
  readonly requested: Promise<void>;
  /** Remembers how to undo what has just been done. */
  readonly later: (undo: () => void | Promise<void>) => void;
  /** Undoes everything, last first; one that fails does not keep the others from being undone. */
  readonly undo: () => Promise<void>;
}

/** Listens for the signals that end a program. `onFirst` and `onSecond` hear of the first one and of any after it. */
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
