import type { DispatcherDb } from '../dispatcher-db.ts';
import type { Retention, RetentionChore } from '../../domain/housekeeping.ts';

/**
 * Clears away what is kept no longer, over all businesses. The policies of its tables allow no more
 * than this; see the migration that made them. Each call takes one batch, so that no lock is held for long.
 */
export type RowChore = Exclude<RetentionChore, 'stored_pdfs' | 'stored_files'>;

/** Rows of a batch. */
export const BATCH = 500;

/** Clears one batch. Returns how many rows it took: fewer than BATCH when none are left. */
export async function purge(knex: DispatcherDb, chore: RowChore, retention: Retention): Promise<number> {
  const { sql, days } = PURGES[chore];
  const bindings = { days: days(retention), limit: BATCH };
  const { rowCount } = await knex.raw<{ rowCount: number }>(sql, bindings);
  return rowCount;
}

const OLDER = (column: string) => `${column} < now() - make_interval(days => :days)`;

const PURGES: Readonly<Record<RowChore, { readonly sql: string; readonly days: (kept: Retention) => number }>> = {
  // What was sent stays a body of the known form, without its data.
  webhook_bodies: {
    days: (kept) => kept.webhookBodies,
    sql: `with due as materialized (
            select tenant_id, id from webhook_deliveries
             where bodies_purged_at is null and ${OLDER('completed_at')} order by completed_at limit :limit
          ), attempts as (
            update webhook_attempts a set response_body = null from due
             where a.tenant_id = due.tenant_id and a.delivery_id = due.id and a.response_body is not null
          )
          update webhook_deliveries d set response_body = null, bodies_purged_at = now(),
                 payload = json_build_object('event', d.event, 'timestamp', to_char(d.created_at at time zone 'UTC',
                   'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'), 'data', json_build_object())::text
            from due where d.tenant_id = due.tenant_id and d.id = due.id`,
  },

  // Their attempts go with them.
  webhook_deliveries: {
    days: (kept) => kept.webhookDeliveries,
    sql: `with due as materialized (
            select tenant_id, id from webhook_deliveries where ${OLDER('completed_at')} order by completed_at limit :limit
          )
          delete from webhook_deliveries d using due where d.tenant_id = due.tenant_id and d.id = due.id`,
  },

  // A delivery or run that is still under way reads its event.
  outbox_events: {
    days: (kept) => kept.events,
    sql: `with due as materialized (
            select tenant_id, id from outbox_events e
             where dispatched_at is not null and fanned_out_at is not null and ${OLDER('created_at')}
               and not exists (select from webhook_deliveries d
                                where d.status = 'PENDING' and d.tenant_id = e.tenant_id and d.event_id = e.id)
               and not exists (select from automation_logs l
                                where l.status = 'TRIGGERED' and l.tenant_id = e.tenant_id and l.event_id = e.id)
             order by created_at limit :limit
          )
          delete from outbox_events e using due where e.tenant_id = due.tenant_id and e.id = due.id`,
  },

  // 24 hours are promised to callers (docs/api-guide.md#idempotency), so this is no setting.
  idempotency_keys: {
    days: () => 1,
    sql: `with due as materialized (
            select tenant_id, scope from idempotency_keys where ${OLDER('created_at')} order by created_at limit :limit
          )
          delete from idempotency_keys k using due where k.tenant_id = due.tenant_id and k.scope = due.scope`,
  },

  sessions: {
    days: (kept) => kept.accounts,
    sql: `with due as materialized (
            select tenant_id, id from sessions where ${OLDER('expires_at')} order by expires_at limit :limit
          )
          delete from sessions s using due where s.tenant_id = due.tenant_id and s.id = due.id`,
  },

  account_mails: {
    days: (kept) => kept.accounts,
    sql: `with due as materialized (
            select tenant_id, id from mails where ${OLDER('closed_at')} order by closed_at limit :limit
          )
          delete from mails m using due where m.tenant_id = due.tenant_id and m.id = due.id`,
  },

  // Their steps go with them.
  automation_logs: {
    days: (kept) => kept.automationLogs,
    sql: `with due as materialized (
            select tenant_id, id from automation_logs where ${OLDER('completed_at')} order by completed_at limit :limit
          )
          delete from automation_logs l using due where l.tenant_id = due.tenant_id and l.id = due.id`,
  },

  notifications: {
    days: (kept) => kept.notifications,
    sql: `with due as materialized (
            select tenant_id, id from notifications where ${OLDER('created_at')} order by created_at limit :limit
          )
          delete from notifications n using due where n.tenant_id = due.tenant_id and n.id = due.id`,
  },

  one_time_tokens: {
    days: (kept) => kept.accounts,
    sql: `with due as materialized (
            select tenant_id, id from one_time_tokens o
             where ${OLDER('expires_at')}
               and not exists (select from mails m where m.tenant_id = o.tenant_id and m.token_id = o.id)
             order by expires_at limit :limit
          )
          delete from one_time_tokens o using due where o.tenant_id = due.tenant_id and o.id = due.id`,
  },
};
