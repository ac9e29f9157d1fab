import type { Knex } from 'knex';
import { protectTenantTable } from '../row-security.ts';

export async function up(knex: Knex): Promise<void> {
  await knex.schema.createTable('onboarding_steps', (table) => {
    table.text('tenant_id').notNullable().references('tenants.id');
    table.text('name').notNullable();
    table.timestamp('completed_at').notNullable().defaultTo(knex.fn.now());
    // A step is completed once; a second completion changes nothing.
    table.primary(['tenant_id', 'name']);
    table.check("name in ('company_info', 'first_quote')", [], 'onboarding_steps_name');
  });
  await protectTenantTable(knex, 'onboarding_steps', { app: ['select', 'insert'] });
  // Businesses with quotes have completed that step.
  await knex.raw(`insert into onboarding_steps (tenant_id, name, completed_at)
    select tenant_id, 'first_quote', min(created_at) from quotes group by tenant_id`);
}

export async function down(knex: Knex): Promise<void> {
  await knex.schema.dropTable('onboarding_steps');
}
