import type { Knex } from 'knex';
import { protectTenantTable } from '../row-security.ts';

export async function up(knex: Knex): Promise<void> {
  await knex.schema.createTable('signatures', (table) => {
    table.text('id').primary();
    table.text('tenant_id').notNullable();
    table.text('quote_id').notNullable();
    table.text('type').notNullable();
    // The data URL of an image; null for a typed name.
    table.text('data');
    table.text('signer_name').notNullable();
    table.text('signer_email').notNullable();
    table.timestamp('signed_at').notNullable().defaultTo(knex.fn.now());
    // The evidence: what was signed, with which consent text, and from where.
    table.integer('version').notNullable();
    table.text('snapshot_sha256').notNullable();
    table.text('pdf_sha256').notNullable();
    table.text('consent_text').notNullable();
    table.text('ip').notNullable();
    table.text('user_agent').notNullable();
    table.unique(['tenant_id', 'id']);
    // A quote is accepted once, even for concurrent requests.
    table.unique(['tenant_id', 'quote_id']);
    table.foreign(['tenant_id', 'quote_id']).references(['tenant_id', 'id']).inTable('quotes');
    table.check("type in ('drawn', 'typed')", [], 'signatures_type');
  });
  await protectTenantTable(knex, 'signatures', { app: ['select', 'insert'] });
}

export async function down(knex: Knex): Promise<void> {
  await knex.schema.dropTable('signatures');
}
