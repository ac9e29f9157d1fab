import type { DispatcherDb } from '../dispatcher-db.ts';
import { ENDPOINT_QUEUES, headOfQueue, IN_FIRST_ATTEMPT_OF_TENANT } from '../webhooks/lease-deliveries.ts';

/**
 * Age in seconds of the oldest row of each step; 0 when nothing waits. A delivery counts when it could be dispatched now: its
 * dispatch failed, or its tenant has none in its first attempt and the endpoint's circuit is not open. Those that wait for
 * their place at an endpoint do so on purpose.
 */
export async function oldestWaiting(knex: DispatcherDb): Promise<Readonly<Record<string, number>>> {
  // Each reads an index that contains only waiting rows.
  const age = (column: string) => `coalesce(greatest(0, extract(epoch from now() - min(${column}))), 0)::float8`;
  const { rows } = await knex.raw<{ rows: Record<string, number>[] }>(
    `with recursive ${ENDPOINT_QUEUES}
     select (select ${age('created_at')} from outbox_events where fanned_out_at is null) as fan_out,
            (select ${age('created_at')} from outbox_events where dispatched_at is null) as dispatch,
            (select ${age('head.created_at')} from queues q cross join lateral ${headOfQueue('1')} head
              where head.dispatch_failures > 0
                 or not (q.circuit_open and q.too_early) and ${IN_FIRST_ATTEMPT_OF_TENANT} = 0) as deliver,
            (select ${age('triggered_at')} from automation_logs
              where dispatched_at is null and status = 'TRIGGERED') as automate`,
  );
  return rows[0] ?? {};
}

/** Webhooks that are on and whose last call failed. */
export async function failingEndpoints(knex: DispatcherDb): Promise<Readonly<Record<string, number>>> {
  const { rows } = await knex.raw<{ rows: Record<string, number>[] }>(
    'select count(*)::int as n from webhooks where is_active and consecutive_failures > 0',
  );
  return rows[0] ?? {};
}
