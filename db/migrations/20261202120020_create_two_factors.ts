import type { Knex } from 'knex';
import { protectTenantTable } from '../row-security.ts';

/** The second factor of a user's sign-in, and the codes that replace it once each. */
export async function up(knex: Knex): Promise<void> {
  await knex.schema.createTable('two_factors', (table) => {
    table.text('tenant_id').notNullable();
    table.text('user_id').notNullable();
    table.text('secret_sealed').notNullable();
    // Null until the user has proved with a code that the secret was stored.
    table.timestamp('enabled_at');
    // The last 30-second step whose code was used: each counts once.
    table.bigInteger('last_step');
    // Wrong codes since then; five in a quarter of an hour lock the factor.
    table.integer('failures').notNullable().defaultTo(0);
    table.timestamp('failures_since');
    table.timestamp('created_at').notNullable().defaultTo(knex.fn.now());
    table.primary(['tenant_id', 'user_id']);
    table.foreign(['tenant_id', 'user_id']).references(['tenant_id', 'id']).inTable('users');
  });
  await protectTenantTable(knex, 'two_factors', { app: ['select', 'insert', 'update', 'delete'] });

  await knex.schema.createTable('recovery_codes', (table) => {
    table.text('id').primary();
    table.text('tenant_id').notNullable();
    table.text('user_id').notNullable();
    // SHA-256 of the code, hex: it has 80 random bits.
    table.text('hash').notNullable();
    table.timestamp('used_at');
    table.timestamp('created_at').notNullable().defaultTo(knex.fn.now());
    table.unique(['tenant_id', 'user_id', 'hash']);
    table.foreign(['tenant_id', 'user_id']).references(['tenant_id', 'id']).inTable('users');
  });
  await protectTenantTable(knex, 'recovery_codes', { app: ['select', 'insert', 'update', 'delete'] });
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('drop table recovery_codes, two_factors');
}
