import type { Knex } from 'knex';

export async function up(knex: Knex): Promise<void> {
  await knex.schema.alterTable('quotes', (table) => {
    // Dashboard, pipeline and the list's from and to.
    table.index(['tenant_id', 'created_at', 'quote_number'], 'quotes_newest');
    // The list's orders and its filters by amount and expiry.
    table.index(['tenant_id', 'total', 'quote_number'], 'quotes_by_total');
    table.index(['tenant_id', 'expires_at', 'quote_number'], 'quotes_by_expiry');
  });
}

export async function down(knex: Knex): Promise<void> {
  await knex.schema.alterTable('quotes', (table) => {
    table.dropIndex([], 'quotes_newest');
    table.dropIndex([], 'quotes_by_total');
    table.dropIndex([], 'quotes_by_expiry');
  });
}
