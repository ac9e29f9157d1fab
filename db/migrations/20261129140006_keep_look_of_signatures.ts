import type { Knex } from 'knex';

/** What the signature's row stores of its document, in addition to the quote. */
export async function up(knex: Knex): Promise<void> {
  await knex.schema.alterTable('signatures', (table) => {
    // JSON text of the business's name, template settings and bank account. Null in older rows.
    table.text('look');
    // The typed signature, which `data` shows as an image. Before, `data` held the text itself.
    table.text('typed_text');
  });
}

export async function down(knex: Knex): Promise<void> {
  await knex.schema.alterTable('signatures', (table) => {
    table.dropColumns('look', 'typed_text');
  });
}
