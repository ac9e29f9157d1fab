import type { Knex } from 'knex';
import { protectTenantTable } from '../row-security.ts';

export async function up(knex: Knex): Promise<void> {
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
  });
  await protectTenantTable(knex, 'mails', { app: ['select', 'insert', 'update'] });
}

export async function down(knex: Knex): Promise<void> {
  await knex.schema.dropTable('mails');
}
