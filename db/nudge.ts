import type { Knex } from 'knex';
import type { Nudge } from './with-tenant.ts';

export const OUTBOX_CHANNEL = 'outbox';

/**
 * Wakes the dispatchers after a commit, once for all commits within a few milliseconds. It is sent outside the writing
 * transaction: a NOTIFY inside takes a lock at commit that all writers of the database share. A nudge that is lost
 * with its process costs a poll's length, not an event.
 */
export function createNudge(knex: Knex, delayMs = 5): Nudge {
  let waiting = false;
  return () => {
    if (waiting) return;
    waiting = true;
    setTimeout(() => {
      waiting = false;
      // The dispatcher polls as well, so a failed nudge is no failure.
      knex.raw(`select pg_notify('${OUTBOX_CHANNEL}', '')`).then(undefined, () => undefined);
    }, delayMs);
  };
}
