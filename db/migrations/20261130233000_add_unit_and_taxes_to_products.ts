import type { Knex } from 'knex';

/** The unit and the taxes that a line may copy from its product. */
export async function up(knex: Knex): Promise<void> {
  await knex.schema.alterTable('products', (table) => {
    table.text('unit');
    // Codes with commas between them: "" = untaxed, null = the default tax.
    table.text('taxes');
  });
}

export async function down(knex: Knex): Promise<void> {
  await knex.schema.alterTable('products', (table) => {
    table.dropColumns('unit', 'taxes');
  });
}
