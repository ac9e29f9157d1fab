import type { Knex } from 'knex';

/** What the row of a signature itself says of its document, beside what the quote says. */
export async function up(knex: Knex): Promise<void> {
  await knex.schema.alterTable('signatures', (table) => {
    // JSON text of whose document it is, how it looks and where to pay. Null for what was signed before it was kept.
    table.text('look');
    // What was typed as the signature, which `data` shows as an image. Before, `data` held the text itself.
    table.text('typed_text');
  });
}

export async function down(knex: Knex): Promise<void> {
  await knex.schema.alterTable('signatures', (table) => {
    table.dropColumns('look', 'typed_text');
  });
}
