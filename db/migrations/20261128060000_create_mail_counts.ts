import type { Knex } from 'knex';
import { protectTenantTable } from '../row-security.ts';

export async function up(knex: Knex): Promise<void> {
  await knex.schema.createTable('mail_counts', (table) => {
    table.text('tenant_id').notNullable().references('id').inTable('tenants');
    // The beginning of the hour, UTC.
    table.timestamp('hour').notNullable();
    table.integer('mails').notNullable();
    // Concurrent mails for the last place of an hour must collide here.
    table.primary(['tenant_id', 'hour']);
  });
  await protectTenantTable(knex, 'mail_counts', { app: ['select', 'insert', 'update', 'delete'] });
}

export async function down(knex: Knex): Promise<void> {
  await knex.schema.dropTable('mail_counts');
}
