import type { DispatcherDb } from '../dispatcher-db.ts';
import type { Retention, RetentionChore } from '../../domain/housekeeping.ts';

/**
 * Clears away what is kept no longer, over all businesses. The policies of its tables allow no more
 * than this; see the migration that made them. Each call takes one batch, so that no lock is held for long.
 */
export type RowChore = Exclude<RetentionChore, 'registrations' | 'stored_pdfs' | 'stored_files'>;

/** Rows of a batch. */
export const BATCH = 500;

/** Clears one batch. Returns how many rows it took: fewer than BATCH when none are left. */
export async function purge(knex: DispatcherDb, chore: RowChore, retention: Retention): Promise<number> {
  const { sql, days } = PURGES[chore];
  const bindings = { days: days(retention), limit: BATCH };
  const { rowCount } = await knex.raw<{ rowCount: number }>(sql, bindings);
  return rowCount;
}

const older = (column: string) => `${column} < now() - make_interval(days => :days)`;

/** Deletes the oldest rows of a table by that time; rows that refer to them with `on delete cascade` go too. */
const deletion = (table: string, time: string, { key = 'id', condition = '' } = {}): string =>
  `with due as materialized (
     select tenant_id, ${key} from ${table} t where ${older(time)} ${condition} order by ${time} limit :limit
   )
   delete from ${table} t using due where t.tenant_id = due.tenant_id and t.${key} = due.${key}`;

const PURGES: Readonly<Record<RowChore, { readonly sql: string; readonly days: (kept: Retention) => number }>> = {
  // What was sent stays a body of the known form, without its data.
  webhook_bodies: {
    days: (kept) => kept.webhookBodies,
    sql: `with due as materialized (
            select tenant_id, id from webhook_deliveries
             where bodies_purged_at is null and ${older('completed_at')} order by completed_at limit :limit
          ), attempts as (
            update webhook_attempts a set response_body = null from due
             where a.tenant_id = due.tenant_id and a.delivery_id = due.id and a.response_body is not null
          )
          update webhook_deliveries d set response_body = null, bodies_purged_at = now(),
                 payload = json_build_object('event', d.event, 'timestamp', to_char(d.created_at at time zone 'UTC',
                   'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'), 'data', json_build_object())::text
            from due where d.tenant_id = due.tenant_id and d.id = due.id`,
  },
  webhook_deliveries: {
    days: (kept) => kept.webhookDeliveries,
    sql: deletion('webhook_deliveries', 'completed_at'),
  },
  // A delivery or run that is still under way reads its event.
  outbox_events: {
    days: (kept) => kept.events,
    sql: deletion('outbox_events', 'created_at', {
      condition: `and dispatched_at is not null and fanned_out_at is not null
               and not exists (select from webhook_deliveries d
                                where d.status = 'PENDING' and d.tenant_id = t.tenant_id and d.event_id = t.id)
               and not exists (select from automation_logs l
                                where l.status = 'TRIGGERED' and l.tenant_id = t.tenant_id and l.event_id = t.id)`,
    }),
  },
  // 24 hours are promised to callers (docs/guides/idempotency.md#rules), so this is no setting.
  idempotency_keys: { days: () => 1, sql: deletion('idempotency_keys', 'created_at', { key: 'scope' }) },
  sessions: { days: (kept) => kept.accounts, sql: deletion('sessions', 'expires_at') },
  account_mails: {
    days: (kept) => kept.accounts,
    sql: deletion('mails', 'closed_at', { condition: 'and message_id is null' }),
  },
  automation_logs: { days: (kept) => kept.automationLogs, sql: deletion('automation_logs', 'completed_at') },
  imports: { days: (kept) => kept.imports, sql: deletion('imports', 'completed_at') },
  notifications: { days: (kept) => kept.notifications, sql: deletion('notifications', 'created_at') },
  one_time_tokens: {
    days: (kept) => kept.accounts,
    sql: deletion('one_time_tokens', 'expires_at', {
      condition: 'and not exists (select from mails m where m.tenant_id = t.tenant_id and m.token_id = t.id)',
    }),
  },
};
