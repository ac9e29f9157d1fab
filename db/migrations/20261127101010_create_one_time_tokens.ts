import type { Knex } from 'knex';
import { createLookup, dropLookup, protectTenantTable, readableByLookups } from '../row-security.ts';

export async function up(knex: Knex): Promise<void> {
  await knex.schema.alterTable('users', (table) => {
    // Null for the user who registered the business.
    table.timestamp('invited_at');
    table.timestamp('accepted_at');
  });

  await knex.schema.createTable('one_time_tokens', (table) => {
    table.text('id').primary();
    table.text('tenant_id').notNullable();
    table.text('user_id').notNullable();
    table.text('kind').notNullable();
    // SHA-256 of the token, hex. Only the mail contains the token itself.
    table.text('hash').notNullable().unique();
    table.timestamp('expires_at').notNullable();
    table.timestamp('used_at');
    table.timestamp('created_at').notNullable().defaultTo(knex.fn.now());
    table.unique(['tenant_id', 'id']);
    table.foreign(['tenant_id', 'user_id']).references(['tenant_id', 'id']).inTable('users');
    table.check("kind in ('invitation', 'password_reset')", [], 'one_time_tokens_kind');
    table.index(['tenant_id', 'user_id', 'created_at'], 'one_time_tokens_by_user');
  });
  await protectTenantTable(knex, 'one_time_tokens', { app: ['select', 'insert', 'update'] });
  await readableByLookups(knex, 'one_time_tokens', ['id', 'tenant_id', 'hash']);
  await createLookup(
    knex,
    'find_one_time_token(token_hash text)',
    'tenant_id text, token_id text',
    'select o.tenant_id, o.id from public.one_time_tokens o where o.hash = token_hash',
  );
}

export async function down(knex: Knex): Promise<void> {
  await dropLookup(knex, 'find_one_time_token(text)');
  await knex.schema.dropTable('one_time_tokens');
  await knex.schema.alterTable('users', (table) => {
    table.dropColumns('invited_at', 'accepted_at');
  });
}
