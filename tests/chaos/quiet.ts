import assert from 'node:assert/strict';
import { eventually } from '../eventually.ts';
import type { Installation } from '../installation.ts';

/** What is not finished: nothing, once the load has stopped and all faults are over. */
const WAITING = `
  select (select count(*)::int from outbox_events where planned_at is null or handed_over_at is null) as events,
         (select count(*)::int from webhook_deliveries where status = 'PENDING') as deliveries,
         (select count(*)::int from automation_logs where status = 'TRIGGERED') as runs,
         (select count(*)::int from reminders where status = 'PENDING') as reminders`;

/** Waits until the service has caught up with what it was told. Returns how long that took, in milliseconds. */
export async function untilQuiet(service: Installation, withinMs: number): Promise<number> {
  const startedAt = Date.now();
  await eventually(async () => {
    const [waiting] = await service.rows(WAITING);
    assert.deepEqual(waiting, { events: 0, deliveries: 0, runs: 0, reminders: 0 });
  }, withinMs);
  return Date.now() - startedAt;
}
