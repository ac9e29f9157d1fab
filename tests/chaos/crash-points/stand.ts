import { installHooks, type Passing, type Step } from './hooks.ts';
import { type Heard, isSame, type Said, type Stop } from './messages.ts';

/**
 * Holds a process at a place for a business, on its parent's command, and reports it: then it can be killed, or another
 * process be killed and it continues. Otherwise it is the plain process.
 */

/** A place to hold at. */
interface Stand {
  readonly stop: Stop;
  /** The first work there. Other work of the business passes; a later attempt of the same step is held as well. */
  who?: string;
  readonly over: Promise<void>;
  readonly end: () => void;
}

let stands: readonly Stand[] = [];
let watched: readonly string[] = [];

const say = (message: Said): void => void process.send?.(message);

function hear({ standAt, watch = [] }: Heard): void {
  watched = watch;
  const before = stands;
  stands = standAt.map((stop) => before.find((stand) => isSame(stand.stop, stop)) ?? newStand(stop));
  // They may reach their next place immediately, so it is known by now.
  for (const stand of before) if (!stands.includes(stand)) stand.end();
  say({ armed: true });
}

function newStand(stop: Stop): Stand {
  let end = () => {};
  const over = new Promise<void>((resolve) => {
    end = resolve;
  });
  return { stop, over, end };
}

/** Holds the process where its parent says. Must be called before the process's own code is loaded. */
export function holdOnCommand(outside: (tenantId: string | undefined) => Step, onOrder = () => {}): void {
  process.on('message', (message) => {
    onOrder();
    hear(message as Heard); // the parent's: stopping-process.ts sends nothing else
  });
  installHooks(pass, outside);
}

async function pass({ place, tenantIds, who }: Passing): Promise<void> {
  for (const tenantId of tenantIds) if (watched.includes(tenantId)) say({ passed: { place, tenantId } });
  const stand = stands.find(({ stop }) => stop.place === place && tenantIds.includes(stop.tenantId));
  if (!stand || (stand.who ?? who) !== who) return;
  stand.who = who;
  say({ reached: stand.stop });
  await stand.over;
}
