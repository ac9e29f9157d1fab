import { setTimeout as sleep } from 'node:timers/promises';
import { rows } from '../worker/dispatcher-world.ts';

/** Mails are counted per hour of PostgreSQL's clock: a new hour during a test would reset the count. */
export async function awayFromTheHour(): Promise<void> {
  const [left] = await rows(
    "select extract(epoch from date_trunc('hour', now()) + interval '1 hour' - now()) as seconds",
  );
  const seconds = Number(left?.['seconds']);
  if (seconds < 20) await sleep((seconds + 1) * 1_000);
}
