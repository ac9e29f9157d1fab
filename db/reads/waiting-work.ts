import type { Knex } from 'knex';
import { webhookIsCarried } from './carried-deliveries.ts';

/**
 * Seconds that the oldest of each kind waits for its next step; 0 when nothing waits. As the relay's role. A delivery that
 * waits behind a batch for its webhook does not count, since that is on purpose; a batch that was not started does, and
 * what left one, from when it left.
 */
export async function oldestWaiting(knex: Knex): Promise<Readonly<Record<string, number>>> {
  // Each reads an index that holds nothing but what waits.
  const age = (column: string) => `coalesce(greatest(0, extract(epoch from now() - min(${column}))), 0)::float8`;
  const { rows } = await knex.raw<{ rows: Record<string, number>[] }>(
    `select (select ${age('created_at')} from outbox_events where planned_at is null) as plan,
            (select ${age('created_at')} from outbox_events where handed_over_at is null) as hand_over,
            (select ${age('coalesce(d.left_batch_at, d.created_at)')} from webhook_deliveries d
              where d.handed_over_at is null and d.status = 'PENDING'
                and (d.batch_id is not null or not ${webhookIsCarried('d')})) as deliver,
            (select ${age('triggered_at')} from automation_logs
              where handed_over_at is null and status = 'TRIGGERED') as automate`,
  );
  return rows[0] ?? {};
}

/** Webhooks that are on and whose last call failed, whosever fault that was. As the relay's role. */
export async function failingEndpoints(knex: Knex): Promise<Readonly<Record<string, number>>> {
  const { rows } = await knex.raw<{ rows: Record<string, number>[] }>(
    'select count(*)::int as n from webhooks where is_active and failures_in_row > 0',
  );
  return rows[0] ?? {};
}
