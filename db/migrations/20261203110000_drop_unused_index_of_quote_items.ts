import type { Knex } from 'knex';

/** Lines are unique by their id alone, and no foreign key refers to them: a second index only made their inserts dearer. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw("set local lock_timeout = '10s'");
  await knex.raw('alter table quote_items drop constraint quote_items_tenant_id_id_unique');
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('alter table quote_items add constraint quote_items_tenant_id_id_unique unique (tenant_id, id)');
}
