import assert from 'node:assert/strict';
import { eventually } from '../eventually.ts';
import type { Installation } from '../installation.ts';
import type { Ledger } from './ledger.ts';
import { workflowIds } from '../../workflows/contract.ts';
import { busyRuns, isWorking, openRuns } from './open-runs.ts';

/** What is not finished of these businesses: nothing, once the load has stopped and all faults are over. */
const WAITING = `
  select (select count(*)::int from outbox_events
           where tenant_id = any($1) and (planned_at is null or handed_over_at is null)) as events,
         (select count(*)::int from webhook_deliveries where tenant_id = any($1) and status = 'PENDING') as deliveries,
         (select count(*)::int from automation_logs where tenant_id = any($1) and status = 'TRIGGERED') as runs,
         (select count(*)::int from reminders where tenant_id = any($1) and status = 'PENDING') as reminders`;

/** How long it took, in milliseconds, and what still waited then. */
export interface Quiet {
  readonly ms: number;
  readonly waiting?: string;
}

/**
 * Waits until the service has no pending work, at most `withinMs`. Temporal may lag behind PostgreSQL: an activity whose completion was
 * lost with a server times out by its heartbeat, and its retry finds the work done.
 */
export async function untilQuiet(
  service: Installation,
  { tenants }: Pick<Ledger, 'tenants'>,
  withinMs: number,
): Promise<Quiet> {
  const ids = tenants.map(({ id }) => id);
  const startedAt = Date.now();
  let waiting: unknown;
  const inDoubt = tenants.flatMap(({ slug, quotes }) =>
    quotes
      .filter(({ shares }) => shares.doubt > 0)
      .map(({ number }) => workflowIds.quote({ tenantSlug: slug, quoteNumber: number })),
  );
  const caughtUp = eventually(async () => {
    // In the order in which one follows from the other, or it could slip through between two looks.
    const working = await Promise.all(inDoubt.map((id) => isWorking(service, id)));
    waiting = inDoubt.filter((_, index) => working[index]);
    assert.deepEqual(waiting, []);
    [waiting] = await service.rows(WAITING, ids);
    assert.deepEqual(waiting, { events: 0, deliveries: 0, runs: 0, reminders: 0 });
    waiting = busyRuns(await openRuns(service));
    assert.deepEqual(waiting, []);
  }, withinMs);
  const isQuiet = await caughtUp.then(
    () => true,
    () => false,
  );
  return { ms: Date.now() - startedAt, ...(!isQuiet && { waiting: JSON.stringify(waiting) }) };
}
