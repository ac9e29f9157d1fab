import type { Knex } from 'knex';
import { protectTenantTable } from '../row-security.ts';

export async function up(knex: Knex): Promise<void> {
  await knex.schema.createTable('audit_seals', (table) => {
    table.text('tenant_id').notNullable().references('tenants.id');
    // 1, 2, 3, … for each tenant.
    table.integer('number').notNullable();
    // Seals the entries from the previous seal's end until this moment.
    table.timestamp('until_at').notNullable();
    table.integer('entries').notNullable();
    // SHA-256, hex; zeros as the predecessor of the first seal.
    table.text('previous_hash').notNullable();
    table.text('hash').notNullable();
    table.timestamp('sealed_at').notNullable().defaultTo(knex.fn.now());
    table.primary(['tenant_id', 'number']);
    table.check('number >= 1 and entries >= 1', [], 'audit_seals_numbers');
    table.check("hash ~ '^[0-9a-f]{64}$' and previous_hash ~ '^[0-9a-f]{64}$'", [], 'audit_seals_hashes');
  });
  // The writer of entries cannot write seals, and the writer of seals cannot read entries.
  await protectTenantTable(knex, 'audit_seals', { app: ['select'], relay: ['select', 'insert'] });
  await knex.raw(`create trigger append_only before update or delete on audit_seals
    for each row execute function refuse_change()`);
  await knex.raw(`create trigger append_only_truncate before truncate on audit_seals
    for each statement execute function refuse_change()`);

  // A copy of the newest seal: the chain itself does not show that its end is missing.
  await knex.schema.createTable('audit_heads', (table) => {
    table.text('tenant_id').primary().references('tenants.id');
    table.integer('number').notNullable();
    table.text('hash').notNullable();
  });
  await protectTenantTable(knex, 'audit_heads', {
    app: ['select'],
    relay: ['select', 'insert', 'update (number, hash)'],
  });
}

export async function down(knex: Knex): Promise<void> {
  await knex.schema.dropTable('audit_heads');
  await knex.schema.dropTable('audit_seals');
}
