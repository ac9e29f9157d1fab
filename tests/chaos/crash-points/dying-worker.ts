import { installHooks } from './hooks.ts';
import { type Heard, isSame, type Said, type Stop } from './messages.ts';

/**
 * The worker, which on its parent's word stands still at a place on behalf of a business, and says so: there it can be
 * killed, or another part be killed and the worker go on. Until told it is the worker and nothing else.
 */

/** A place to stand at. */
interface Stand {
  readonly stop: Stop;
  /** Who came first. Others of the business pass; a later attempt of the same step stands here as well. */
  who?: string;
  readonly over: Promise<void>;
  readonly end: () => void;
}

let stands: readonly Stand[] = [];

const say = (message: Said): void => void process.send?.(message);

process.on('message', ({ standAt }: Heard) => {
  const before = stands;
  stands = standAt.map((stop) => before.find((stand) => isSame(stand.stop, stop)) ?? newStand(stop));
  // They may come to their next place at once: it is known by now.
  for (const stand of before) if (!stands.includes(stand)) stand.end();
  say({ armed: true });
});

function newStand(stop: Stop): Stand {
  let end = () => {};
  const over = new Promise<void>((resolve) => {
    end = resolve;
  });
  return { stop, over, end };
}

installHooks(async ({ place, tenantIds, who }) => {
  const stand = stands.find(({ stop }) => stop.place === place && tenantIds.includes(stop.tenantId));
  if (!stand || (stand.who ?? who) !== who) return;
  stand.who = who;
  say({ reached: stand.stop });
  await stand.over;
});

await import('../../../activities/worker.ts');
