import type { Knex } from 'knex';
import { protectTenantTable } from '../row-security.ts';

export async function up(knex: Knex): Promise<void> {
  await knex.schema.createTable('labels', (table) => {
    table.text('id').primary();
    table.text('tenant_id').notNullable().references('tenants.id');
    table.text('name').notNullable();
    table.text('color').notNullable();
    table.timestamp('created_at').notNullable().defaultTo(knex.fn.now());
    table.unique(['tenant_id', 'id']);
    table.check("color ~ '^#[0-9a-f]{6}$'", [], 'labels_color');
  });
  // Readers do not distinguish "Urgente" and "urgente".
  await knex.raw('create unique index labels_name on labels (tenant_id, lower(name))');
  await protectTenantTable(knex, 'labels', { app: ['select', 'insert', 'update', 'delete'] });

  await knex.schema.createTable('quote_labels', (table) => {
    table.text('tenant_id').notNullable();
    table.text('quote_id').notNullable();
    table.text('label_id').notNullable();
    table.timestamp('created_at').notNullable().defaultTo(knex.fn.now());
    table.primary(['tenant_id', 'quote_id', 'label_id']);
    table.foreign(['tenant_id', 'quote_id']).references(['tenant_id', 'id']).inTable('quotes');
    table.foreign(['tenant_id', 'label_id']).references(['tenant_id', 'id']).inTable('labels');
    // For the list filter by label, and for deleting a label.
    table.index(['tenant_id', 'label_id', 'quote_id'], 'quote_labels_by_label');
  });
  await protectTenantTable(knex, 'quote_labels', { app: ['select', 'insert', 'delete'] });
}

export async function down(knex: Knex): Promise<void> {
  await knex.schema.dropTable('quote_labels');
  await knex.schema.dropTable('labels');
}
