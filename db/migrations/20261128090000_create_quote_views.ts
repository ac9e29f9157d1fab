import type { Knex } from 'knex';
import { protectTenantTable } from '../row-security.ts';

export async function up(knex: Knex): Promise<void> {
  await knex.schema.createTable('quote_views', (table) => {
    table.text('tenant_id').notNullable();
    table.text('quote_id').notNullable();
    // A keyed hash of the viewer's network: no address is stored.
    table.text('viewer').notNullable();
    table.timestamp('counted_at').notNullable().defaultTo(knex.fn.now());
    // Concurrent page loads of the same view must collide here.
    table.primary(['tenant_id', 'quote_id', 'viewer']);
    table.foreign(['tenant_id', 'quote_id']).references(['tenant_id', 'id']).inTable('quotes').onDelete('CASCADE');
    table.index(['tenant_id', 'counted_at']);
  });
  await protectTenantTable(knex, 'quote_views', { app: ['select', 'insert', 'update', 'delete'] });
}

export async function down(knex: Knex): Promise<void> {
  await knex.schema.dropTable('quote_views');
}
