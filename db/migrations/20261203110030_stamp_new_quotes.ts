import type { Knex } from 'knex';

/** Of the transaction's beginning, as `changes_complete_until` expects it. */
const MILLISECONDS = 'floor(extract(epoch from now()) * 1000)::bigint::bit(32)::integer';

/** A new quote is stamped by a trigger of its own, which compares no rows, and by an expression that PostgreSQL inlines. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw("set local lock_timeout = '10s'");
  // CASE evaluates its condition first: the time is taken under the lock.
  await knex.raw(`create or replace function stamp_change(tenant text) returns timestamptz language sql as $$
    select case when pg_advisory_xact_lock_shared(hashtext(tenant), ${MILLISECONDS}) is not null then clock_timestamp() end $$`);
  await knex.raw(`create function stamp_new_quote() returns trigger language plpgsql as $$
    begin
      new.changed_at := public.stamp_change(new.tenant_id);
      return new;
    end $$`);
  await knex.raw('drop trigger stamp on quotes');
  await knex.raw('create trigger stamp before update on quotes for each row execute function stamp_quote()');
  await knex.raw('create trigger stamp_new before insert on quotes for each row execute function stamp_new_quote()');
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('drop trigger stamp_new on quotes');
  await knex.raw('drop trigger stamp on quotes');
  await knex.raw('create trigger stamp before insert or update on quotes for each row execute function stamp_quote()');
  await knex.raw('drop function stamp_new_quote()');
  await knex.raw(`create or replace function stamp_change(tenant text) returns timestamptz language plpgsql as $$
    begin
      perform pg_advisory_xact_lock_shared(hashtext(tenant), ${MILLISECONDS});
      return clock_timestamp();
    end $$`);
}
