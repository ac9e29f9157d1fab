import type { Knex } from 'knex';

export async function up(knex: Knex): Promise<void> {
  await knex.schema.alterTable('signatures', (table) => {
    // Null for older signatures: their documents have no certificate page and stay as they are.
    table.text('shown_pdf_sha256');
    table.check("shown_pdf_sha256 ~ '^[0-9a-f]{64}$'", [], 'signatures_shown_pdf_sha256');
  });
}

export async function down(knex: Knex): Promise<void> {
  await knex.schema.alterTable('signatures', (table) => {
    table.dropChecks(['signatures_shown_pdf_sha256']);
    table.dropColumn('shown_pdf_sha256');
  });
}
