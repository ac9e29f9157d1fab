import type { Knex } from 'knex';

const INDICES = [
  ['audit_logs_by_action', 'action'],
  ['audit_logs_by_entity', 'entity'],
  ['audit_logs_by_user', 'user_id'],
] as const;

export async function up(knex: Knex): Promise<void> {
  for (const [name, column] of INDICES) {
    await knex.raw(`create index ${name} on audit_logs (tenant_id, ${column}, created_at, id)`);
  }
}

export async function down(knex: Knex): Promise<void> {
  for (const [name] of INDICES) await knex.raw(`drop index ${name}`);
}
