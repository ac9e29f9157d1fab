import type { Knex } from 'knex';
import { protectTenantTable } from '../row-security.ts';

/** Stored documents and logos, and the signatures of clients with their evidence. */
export async function up(knex: Knex): Promise<void> {
  await knex.schema.createTable('files', (table) => {
    table.text('id').primary();
    table.text('tenant_id').notNullable().references('tenants.id');
    table.text('kind').notNullable();
    table.text('quote_id');
    table.text('storage_key').notNullable();
    table.text('content_type').notNullable();
    table.integer('size_bytes').notNullable();
    table.text('sha256').notNullable();
    table.timestamp('created_at').notNullable().defaultTo(knex.fn.now());
    table.unique(['tenant_id', 'id']);
    table.unique(['tenant_id', 'storage_key']);
    table.foreign(['tenant_id', 'quote_id']).references(['tenant_id', 'id']).inTable('quotes');
    // signed_pdf is a separate kind: signed documents are never drawn again and never deleted.
    table.check("kind in ('quote_pdf', 'signed_pdf', 'logo')", [], 'files_kind');
    table.check("storage_key like 't/' || tenant_id || '/%'", [], 'files_own_folder');
  });
  await knex.raw("create index files_of_quote on files (tenant_id, quote_id, created_at) where kind = 'quote_pdf'");
  await protectTenantTable(knex, 'files', { app: ['select', 'insert'] });

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
    table.text('snapshot').notNullable();
    table.text('pdf_file_id').notNullable();
    // Null for older signatures: their documents have no certificate page and stay as they are.
    table.text('shown_pdf_sha256');
    table.unique(['tenant_id', 'id']);
    // A quote is accepted once, even for concurrent requests.
    table.unique(['tenant_id', 'quote_id']);
    table.foreign(['tenant_id', 'quote_id']).references(['tenant_id', 'id']).inTable('quotes');
    table.foreign(['tenant_id', 'pdf_file_id']).references(['tenant_id', 'id']).inTable('files');
    table.check("type in ('drawn', 'typed')", [], 'signatures_type');
    table.check("shown_pdf_sha256 ~ '^[0-9a-f]{64}$'", [], 'signatures_shown_pdf_sha256');
  });
  await protectTenantTable(knex, 'signatures', { app: ['select', 'insert'] });
  await knex.raw(`create trigger append_only before update or delete on signatures
    for each row execute function refuse_change()`);
  await knex.raw(`create trigger append_only_truncate before truncate on signatures
    for each statement execute function refuse_change()`);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('drop table signatures, files');
}
