import { eventually } from '../../eventually.ts';
import { type OwnProcess, startOwnProcess } from '../../own-process.ts';
import { type Heard, isSame, type Said, type Stop } from './messages.ts';

/** A process that can be held at places. */
export interface StoppingProcess extends OwnProcess {
  /**
   * From now on it is held at these places, and reports the places that it passes for the watched businesses; work held
   * elsewhere continues.
   */
  standAt(stops: readonly Stop[], watched?: readonly string[]): Promise<void>;
  /** Places that it passed for a business while it was watched, in order. */
  passed(tenantId: string): readonly string[];
  /** Waits until it is held there; throws, naming the place, when it does not get there. */
  hasComeTo(stop: Stop): Promise<void>;
}

/** Milliseconds; on a busy machine the last of five actions may take that long. */
const TO_COME_MS = 30_000;

export async function startStoppingProcess(
  name: 'worker' | 'api',
  env: Record<string, string>,
): Promise<StoppingProcess> {
  const own = await startOwnProcess(`tests/chaos/crash-points/dying-${name}.ts`, {
    ...env,
    // Held work keeps a connection.
    DATABASE_POOL: '40',
  });
  let armed = 0;
  const reached: Stop[] = [];
  const passed: Stop[] = [];
  own.onMessage((message) => {
    // Ours: crash-points/stand.ts sends nothing else, except that the process is ready.
    const said = message as Said;
    if ('armed' in said) armed += 1;
    if ('reached' in said) reached.push(said.reached);
    if ('passed' in said) passed.push(said.passed);
  });

  async function order(heard: Heard): Promise<void> {
    const before = armed;
    own.tell(heard);
    await eventually(() => {
      if (armed === before) throw new Error(`the ${name} does not listen\n${own.output()}`);
    });
  }

  return {
    ...own,
    standAt: (stops, watched = []) => order({ standAt: stops, watch: watched }),
    passed: (tenantId) => passed.filter((stop) => stop.tenantId === tenantId).map(({ place }) => place),
    hasComeTo: (stop) =>
      eventually(() => {
        if (!reached.some((other) => isSame(other, stop))) {
          throw new Error(`never reached: ${stop.place}\n${own.output().slice(-2_000)}`);
        }
      }, TO_COME_MS),
  };
}
