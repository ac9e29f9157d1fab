import type { Knex } from 'knex';

/** Entries are unique by their id alone, and no foreign key refers to them: a second index only made their inserts dearer. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw("set local lock_timeout = '10s'");
  await knex.raw('alter table audit_logs drop constraint audit_logs_tenant_id_id_unique');
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('alter table audit_logs add constraint audit_logs_tenant_id_id_unique unique (tenant_id, id)');
}
