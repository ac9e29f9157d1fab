import type { Knex } from 'knex';

/**
 * Adds the column `revision`, which rises with every update of a row that changes another column than the `uncounted`
 * ones, even one made by a process of the former version, or of a column added later. An update of `revision` itself
 * raises it by one. Landed migrations call this: its effect must not change.
 */
export async function addRevision(knex: Knex, table: string, uncounted: readonly string[]): Promise<void> {
  // A constant default rewrites no row, so the table is locked for a moment only.
  await knex.raw(`alter table ${table} add column revision integer not null default 1`);
  await knex.raw(`create function raise_revision_of_${table}() returns trigger language plpgsql as $$
    declare counted public.${table} := new;
    begin
      ${uncounted.map((column) => `counted.${column} := old.${column};`).join(' ')}
      if counted is distinct from old then new.revision := old.revision + 1; end if;
      return new;
    end $$`);
  await knex.raw(`create trigger revision before update on ${table}
    for each row execute function raise_revision_of_${table}()`);
}

export async function dropRevision(knex: Knex, table: string): Promise<void> {
  await knex.raw(`drop trigger revision on ${table}`);
  await knex.raw(`drop function raise_revision_of_${table}()`);
  await knex.raw(`alter table ${table} drop column revision`);
}
