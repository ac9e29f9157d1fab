import type { Knex } from 'knex';

/**
 * Descriptions, sections, units with decimal quantities, taxes and options of lines. All existing lines are fixed, count,
 * and have the default tax.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw('alter table quote_items drop constraint quote_items_quantity');
  await knex.schema.alterTable('quote_items', (table) => {
    table.decimal('quantity', 11, 4).notNullable().alter();
    table.text('description');
    table.text('section');
    table.text('unit');
    // Codes with commas between them: "" = untaxed, null = the default tax.
    table.text('taxes');
    table.boolean('optional').notNullable().defaultTo(false);
    // The group of alternatives.
    table.text('choice');
    table.boolean('counts').notNullable().defaultTo(true);
    table.check('quantity > 0 and (unit is not null or quantity = trunc(quantity))', [], 'quote_items_quantity');
    table.check('choice is null or not optional', [], 'quote_items_choice');
    table.check('counts or optional or choice is not null', [], 'quote_items_counts');
  });
}

export async function down(knex: Knex): Promise<void> {
  await knex.schema.alterTable('quote_items', (table) => {
    table.dropChecks(['quote_items_quantity', 'quote_items_choice', 'quote_items_counts']);
    table.dropColumns('description', 'section', 'unit', 'taxes', 'optional', 'choice', 'counts');
  });
  await knex.raw('alter table quote_items alter column quantity type integer using greatest(1, round(quantity))');
  await knex.raw('alter table quote_items add constraint quote_items_quantity check (quantity >= 1)');
}
