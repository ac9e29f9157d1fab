import type { Knex } from 'knex';

export async function up(knex: Knex): Promise<void> {
  await knex.schema.alterTable('files', (table) => {
    table.dropChecks(['files_kind']);
    // A separate kind: signed documents are never drawn again and never deleted.
    table.check("kind in ('quote_pdf', 'signed_pdf', 'logo')", [], 'files_kind');
  });
  await knex.schema.alterTable('signatures', (table) => {
    table.text('snapshot').notNullable();
    table.text('pdf_file_id').notNullable();
    table.foreign(['tenant_id', 'pdf_file_id']).references(['tenant_id', 'id']).inTable('files');
  });
  await knex.raw(`create trigger append_only before update or delete on signatures
    for each row execute function refuse_change()`);
  await knex.raw(`create trigger append_only_truncate before truncate on signatures
    for each statement execute function refuse_change()`);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('drop trigger append_only on signatures');
  await knex.raw('drop trigger append_only_truncate on signatures');
  await knex.schema.alterTable('signatures', (table) => {
    table.dropForeign(['tenant_id', 'pdf_file_id']);
    table.dropColumns('snapshot', 'pdf_file_id');
  });
  // The objects stay in storage; only the list of the older version drops them.
  await knex('files').where({ kind: 'signed_pdf' }).delete();
  await knex.schema.alterTable('files', (table) => {
    table.dropChecks(['files_kind']);
    table.check("kind in ('quote_pdf', 'logo')", [], 'files_kind');
  });
}
