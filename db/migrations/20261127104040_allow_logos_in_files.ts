import type { Knex } from 'knex';

export async function up(knex: Knex): Promise<void> {
  await knex.schema.alterTable('files', (table) => {
    table.dropChecks(['files_kind']);
    table.check("kind in ('quote_pdf', 'logo')", [], 'files_kind');
  });
}

export async function down(knex: Knex): Promise<void> {
  // The objects stay in storage; only the list of the older version drops them.
  await knex('files').where({ kind: 'logo' }).delete();
  await knex.schema.alterTable('files', (table) => {
    table.dropChecks(['files_kind']);
    table.check("kind in ('quote_pdf')", [], 'files_kind');
  });
}
