import type { Knex } from 'knex';
import {
  createLookup,
  dropLookup,
  protectTenantTable,
  readableByDispatcher,
  readableByLookups,
} from '../row-security.ts';

/** Businesses, their users, and how these sign in. */
export async function up(knex: Knex): Promise<void> {
  await createTenants(knex);
  await createUsers(knex);
  await createSessions(knex);
  await createApiKeys(knex);
  await createOneTimeTokens(knex);
  await createMails(knex);
}

async function createTenants(knex: Knex): Promise<void> {
  await knex.schema.createTable('tenants', (table) => {
    table.text('id').primary();
    // Used in workflow ids, so it is immutable.
    table.text('slug').notNullable().unique();
    table.text('company_name').notNullable();
    table.text('email');
    table.text('phone');
    table.text('address');
    table.text('plan').notNullable();
    table.decimal('tax_rate', 5, 4);
    table.text('currency').notNullable().defaultTo('MXN');
    table.integer('quote_validity_days').notNullable().defaultTo(15);
    table.integer('reminder_days_before').notNullable().defaultTo(3);
    table.text('default_notes').notNullable().defaultTo('');
    table.timestamp('created_at').notNullable().defaultTo(knex.fn.now());
    table.timestamp('updated_at').notNullable().defaultTo(knex.fn.now());
    table.text('logo_key');
    // JSON, as the settings show them.
    table.text('bank_info');
    table.text('pdf_branding');
    table.check("plan in ('FREE', 'PRO')", [], 'tenants_plan');
    table.check('tax_rate between 0 and 1', [], 'tenants_tax_rate');
    table.check('quote_validity_days between 1 and 365', [], 'tenants_validity');
    table.check('reminder_days_before between 1 and 30', [], 'tenants_reminder');
    table.check("logo_key like 't/' || id || '/logo/%'", [], 'tenants_own_logo');
  });
  await protectTenantTable(knex, 'tenants', {
    app: ['select', 'insert', 'update'],
    dispatcher: ['select (id, slug)'],
    key: 'id',
  });

  await knex.schema.createTable('onboarding_steps', (table) => {
    table.text('tenant_id').notNullable().references('tenants.id');
    table.text('name').notNullable();
    table.timestamp('completed_at').notNullable().defaultTo(knex.fn.now());
    // A step is completed once; a second completion changes nothing.
    table.primary(['tenant_id', 'name']);
    table.check("name in ('company_info', 'first_quote')", [], 'onboarding_steps_name');
  });
  await protectTenantTable(knex, 'onboarding_steps', { app: ['select', 'insert'] });
}

async function createUsers(knex: Knex): Promise<void> {
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
    // Null for the user who registered the business.
    table.timestamp('invited_at');
    table.timestamp('accepted_at');
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
}

async function createSessions(knex: Knex): Promise<void> {
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
    table.index(['expires_at'], 'sessions_by_expiry');
  });
  await protectTenantTable(knex, 'sessions', { app: ['select', 'insert', 'update'] });
}

async function createApiKeys(knex: Knex): Promise<void> {
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

async function createOneTimeTokens(knex: Knex): Promise<void> {
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
    table.index(['expires_at'], 'one_time_tokens_by_expiry');
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

async function createMails(knex: Knex): Promise<void> {
  await knex.schema.createTable('mails', (table) => {
    table.text('id').primary();
    table.text('tenant_id').notNullable();
    table.text('kind').notNullable();
    table.text('user_id').notNullable();
    table.text('token_id').notNullable();
    // The one-time token, encrypted, until the mail is sent.
    table.text('token_sealed');
    table.text('status').notNullable().defaultTo('PENDING');
    // Why it was given up, without addresses.
    table.text('failure');
    table.timestamp('created_at').notNullable().defaultTo(knex.fn.now());
    table.timestamp('closed_at');
    table.unique(['tenant_id', 'id']);
    table.foreign(['tenant_id', 'user_id']).references(['tenant_id', 'id']).inTable('users');
    table.foreign(['tenant_id', 'token_id']).references(['tenant_id', 'id']).inTable('one_time_tokens');
    table.check("kind in ('invitation', 'password_reset')", [], 'mails_kind');
    table.check("status in ('PENDING', 'SENT', 'FAILED')", [], 'mails_status');
    table.check("(status = 'PENDING') = (token_sealed is not null)", [], 'mails_token');
    table.check("(status = 'PENDING') = (closed_at is null)", [], 'mails_closed');
    table.index(['closed_at'], 'mails_closed');
    table.index(['tenant_id', 'token_id'], 'mails_of_token');
  });
  await knex.raw("create index mails_pending on mails (id) where status = 'PENDING'");
  await protectTenantTable(knex, 'mails', { app: ['select', 'insert', 'update'] });
  await readableByDispatcher(knex, 'mails', ['id', 'tenant_id', 'status', 'created_at']);

  await knex.schema.createTable('mail_counts', (table) => {
    table.text('tenant_id').notNullable().references('id').inTable('tenants');
    // The beginning of the hour, UTC.
    table.timestamp('hour').notNullable();
    table.integer('mails').notNullable();
    // Concurrent mails for the last place of an hour must collide here.
    table.primary(['tenant_id', 'hour']);
  });
  await protectTenantTable(knex, 'mail_counts', { app: ['select', 'insert', 'update', 'delete'] });
}

export async function down(knex: Knex): Promise<void> {
  await dropLookup(knex, 'find_one_time_token(text)');
  await dropLookup(knex, 'find_api_key(text)');
  await dropLookup(knex, 'find_user_by_email(text)');
  await knex.raw(
    'drop table mail_counts, mails, one_time_tokens, api_keys, sessions, users, onboarding_steps, tenants',
  );
}
