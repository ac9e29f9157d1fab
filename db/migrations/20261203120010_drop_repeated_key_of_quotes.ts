import type { Knex } from 'knex';

/** The keys to client and user include the tenant, whose existence theirs prove: a third one locked its row for each quote. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw("set local lock_timeout = '10s'");
  await knex.raw('alter table quotes drop constraint quotes_tenant_id_foreign');
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw("set local lock_timeout = '10s'");
  await knex.raw(
    'alter table quotes add constraint quotes_tenant_id_foreign foreign key (tenant_id) references tenants (id)',
  );
}
