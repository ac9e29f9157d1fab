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

/** Locks name their second since then, which fits into their 32 bits until 2088. */
const FIRST_SECOND = Date.parse('2020-01-01T00:00:00Z') / 1000;

export async function up(knex: Knex): Promise<void> {
  await knex.raw("set local lock_timeout = '10s'");
  // The lock says when the transaction began, to everybody and until it has ended. The time is taken under the lock:
  // whoever looked before the lock and found none has a bound that is earlier.
  await knex.raw(`create function stamp_change(tenant text) returns timestamptz language plpgsql as $$
    begin
      perform pg_advisory_xact_lock_shared(hashtext(tenant), (floor(extract(epoch from now())) - ${FIRST_SECOND})::int);
      return clock_timestamp();
    end $$`);
  // Without privileges: pg_locks shows every role all locks. The statement's time, since it is earlier than the look.
  await knex.raw(`create function changes_complete_until(tenant text) returns timestamptz language sql volatile as $$
    select least(statement_timestamp(), to_timestamp(min(objid::bigint) + ${FIRST_SECOND}))
      from pg_locks
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
