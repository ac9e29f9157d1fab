import type { Knex } from 'knex';

/** The history of one quote is read newest first. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(
    "create index audit_logs_of_quote on audit_logs (tenant_id, entity_id, created_at, id) where entity = 'quote'",
  );
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('drop index audit_logs_of_quote');
}
