import type { Knex } from 'knex';

export async function up(knex: Knex): Promise<void> {
  await knex.schema.alterTable('tenants', (table) => {
    table.text('logo_key');
    // JSON, as the settings show them.
    table.text('bank_info');
    table.text('pdf_branding');
    table.check("logo_key like 't/' || id || '/logo/%'", [], 'tenants_own_logo');
  });
}

export async function down(knex: Knex): Promise<void> {
  await knex.schema.alterTable('tenants', (table) => {
    table.dropChecks(['tenants_own_logo']);
    table.dropColumns('logo_key', 'bank_info', 'pdf_branding');
  });
}
