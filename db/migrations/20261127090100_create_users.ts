import type { Knex } from 'knex';
import { createLookup, dropLookup, protectTenantTable, readableByLookups } from '../row-security.ts';

export async function up(knex: Knex): Promise<void> {
  await knex.schema.createTable('users', (table) => {
    table.text('id').primary();
    table.text('tenant_id').notNullable().references('tenants.id');
    table.text('email').notNullable();
    table.text('name').notNullable();
    table.text('role').notNullable();
    // Null until an invited user has chosen one.
    table.text('password_hash');
    table.boolean('is_active').notNullable().defaultTo(true);
    table.timestamp('last_login_at');
    table.timestamp('created_at').notNullable().defaultTo(knex.fn.now());
    table.timestamp('updated_at').notNullable().defaultTo(knex.fn.now());
    table.unique(['tenant_id', 'id']);
    table.check("role in ('OWNER', 'COLLABORATOR')", [], 'users_role');
  });
  // One address, one account, over all tenants and ignoring case.
  await knex.raw('create unique index users_email on users (lower(email))');
  await protectTenantTable(knex, 'users', { app: ['select', 'insert', 'update'] });
  await readableByLookups(knex, 'users', ['id', 'tenant_id', 'email']);
  await createLookup(
    knex,
    'find_user_by_email(address text)',
    'tenant_id text, user_id text',
    'select u.tenant_id, u.id from public.users u where lower(u.email) = lower(address)',
  );

  await knex.schema.createTable('sessions', (table) => {
    table.text('id').primary();
    table.text('tenant_id').notNullable();
    table.text('user_id').notNullable();
    table.timestamp('created_at').notNullable().defaultTo(knex.fn.now());
    // Extended while the session is used, up to 30 days after it began.
    table.timestamp('expires_at').notNullable();
    table.timestamp('revoked_at');
    table.unique(['tenant_id', 'id']);
    table.foreign(['tenant_id', 'user_id']).references(['tenant_id', 'id']).inTable('users');
  });
  await protectTenantTable(knex, 'sessions', { app: ['select', 'insert', 'update'] });

  await knex.schema.createTable('api_keys', (table) => {
    table.text('id').primary();
    table.text('tenant_id').notNullable();
    table.text('user_id').notNullable();
    table.text('name').notNullable();
    // SHA-256 of the key, hex. The key itself is shown once and not stored.
    table.text('hash').notNullable().unique();
    table.text('prefix').notNullable();
    table.text('last4').notNullable();
    table.timestamp('last_used_at');
    table.timestamp('revoked_at');
    table.timestamp('created_at').notNullable().defaultTo(knex.fn.now());
    table.unique(['tenant_id', 'id']);
    table.foreign(['tenant_id', 'user_id']).references(['tenant_id', 'id']).inTable('users');
  });
  await protectTenantTable(knex, 'api_keys', { app: ['select', 'insert', 'update'] });
  await readableByLookups(knex, 'api_keys', ['id', 'tenant_id', 'hash', 'revoked_at']);
  await createLookup(
    knex,
    'find_api_key(key_hash text)',
    'tenant_id text, api_key_id text',
    'select k.tenant_id, k.id from public.api_keys k where k.hash = key_hash and k.revoked_at is null',
  );
}

export async function down(knex: Knex): Promise<void> {
  await dropLookup(knex, 'find_api_key(text)');
  await dropLookup(knex, 'find_user_by_email(text)');
  await knex.schema.dropTable('api_keys');
  await knex.schema.dropTable('sessions');
  await knex.schema.dropTable('users');
}
