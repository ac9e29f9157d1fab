import type { Knex } from 'knex';

/**
 * When quotes and clients last changed, for callers that synchronise: they ask for what changed since their last record, so
 * no change may become visible with a time that such a caller has passed (docs/architecture.md#synchronisation).
 */

/** Columns of quotes that no list shows, and the views. An update of other columns, also of later ones, is a change. */
const UNSTAMPED = [
  'view_count',
  'public_token_hash',
  'public_token_sealed',
  'link_withheld',
  'former_client_names',
  'shared_at',
  'shared_version',
  'share_id',
  'reminders_stopped_at',
] as const;

/** Milliseconds since 1970. Locks have 32 bits for it: enough to tell times within 24 days of each other. */
const millisecondsOf = (time: string): string => `floor(extract(epoch from ${time}) * 1000)::bigint`;

export async function up(knex: Knex): Promise<void> {
  await knex.raw("set local lock_timeout = '10s'");
  // The lock tells everybody when the transaction began, until it has ended. The time is taken under the lock: whoever
  // looked for locks before it has a bound that is earlier.
  await knex.raw(`create function stamp_change(tenant text) returns timestamptz language plpgsql as $$
    begin
      perform pg_advisory_xact_lock_shared(hashtext(tenant), ${millisecondsOf('now()')}::bit(32)::integer);
      return clock_timestamp();
    end $$`);
  // pg_locks shows all locks to every role. The bound without locks is the statement's time, which is before the look.
  await knex.raw(`create function changes_complete_until(tenant text) returns timestamptz language sql volatile as $$
    select least(statement_timestamp(), date_trunc('milliseconds', statement_timestamp())
                   + min((objid::bigint - asked.at)::bit(32)::integer) * interval '1 millisecond')
      from pg_locks, (select ${millisecondsOf('statement_timestamp()')} as at) asked
     where locktype = 'advisory' and objsubid = 2 and classid = (hashtext(tenant)::bigint & 4294967295)::oid
       and database = (select oid from pg_database where datname = current_database()) $$`);

  // now() is not volatile, so that no row is rewritten and the table is locked for a moment only.
  await knex.raw('alter table quotes add column changed_at timestamptz not null default now()');
  await knex.raw(`create function stamp_quote() returns trigger language plpgsql as $$
    declare shown public.quotes;
    begin
      if tg_op = 'UPDATE' then
        shown := new;
        ${UNSTAMPED.map((column) => `shown.${column} := old.${column};`).join(' ')}
        if shown is not distinct from old then return new; end if;
      end if;
      new.changed_at := public.stamp_change(new.tenant_id);
      return new;
    end $$`);
  await knex.raw(`create trigger stamp before insert or update on quotes for each row execute function stamp_quote()`);

  await knex.raw(`create function stamp_client() returns trigger language plpgsql as $$
    begin
      if tg_op = 'UPDATE' and new is not distinct from old then return new; end if;
      new.updated_at := public.stamp_change(new.tenant_id);
      -- Its default is the start of the transaction; a new record was changed when it was created.
      if tg_op = 'INSERT' and new.created_at = now() then new.created_at := new.updated_at; end if;
      return new;
    end $$`);
  await knex.raw(
    `create trigger stamp before insert or update on clients for each row execute function stamp_client()`,
  );
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('drop trigger stamp on clients');
  await knex.raw('drop trigger stamp on quotes');
  await knex.raw('drop function stamp_client()');
  await knex.raw('drop function stamp_quote()');
  await knex.raw('alter table quotes drop column changed_at');
  await knex.raw('drop function changes_complete_until(text)');
  await knex.raw('drop function stamp_change(text)');
}
