import { eventually } from '../../eventually.ts';
import { type OwnProcess, startOwnProcess } from '../../own-process.ts';
import { type Heard, isSame, type Said, type Stop } from './messages.ts';

/** A worker that stands still where it is told. */
export interface StoppingWorker extends OwnProcess {
  /** From now on it stands at these places; who stands elsewhere goes on. */
  standAt(stops: readonly Stop[]): Promise<void>;
  /** Waits until it stands there; throws, naming the place, when it does not come there. */
  hasComeTo(stop: Stop): Promise<void>;
}

/** Milliseconds; the last of five actions may take so long on a busy machine. */
const TO_COME_MS = 30_000;

export async function startStoppingWorker(env: Record<string, string>): Promise<StoppingWorker> {
  const worker = await startOwnProcess('tests/chaos/crash-points/dying-worker.ts', {
    ...env,
    // Whoever stands keeps a connection.
    DATABASE_POOL: '20',
  });
  let armed = 0;
  const reached: Stop[] = [];
  worker.onMessage((message) => {
    // Ours: crash-points/dying-worker.ts says nothing else, but that it is ready.
    const said = message as Said;
    if ('armed' in said) armed += 1;
    if ('reached' in said) reached.push(said.reached);
  });

  return {
    ...worker,
    async standAt(stops) {
      const before = armed;
      const heard: Heard = { standAt: stops };
      worker.tell(heard);
      await eventually(() => {
        if (armed === before) throw new Error(`the worker does not listen\n${worker.output()}`);
      });
    },
    hasComeTo: (stop) =>
      eventually(() => {
        if (!reached.some((other) => isSame(other, stop))) {
          throw new Error(`never reached: ${stop.place}\n${worker.output().slice(-2_000)}`);
        }
      }, TO_COME_MS),
  };
}
