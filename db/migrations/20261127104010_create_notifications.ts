import type { Knex } from 'knex';
import { protectTenantTable } from '../row-security.ts';

export async function up(knex: Knex): Promise<void> {
  await knex.schema.createTable('notifications', (table) => {
    table.text('id').primary();
    table.text('tenant_id').notNullable().references('tenants.id');
    table.text('user_id').notNullable();
    table.text('type').notNullable();
    table.text('title').notNullable();
    table.text('body').notNullable();
    // JSON, for example the quote's id and number.
    table.text('metadata').notNullable().defaultTo('{}');
    // Its cause: an outbox event, or a step of an automation run.
    table.text('event_id').notNullable();
    table.timestamp('read_at');
    table.timestamp('created_at').notNullable().defaultTo(knex.fn.now());
    table.unique(['tenant_id', 'id']);
    // Once each, however often the step that writes it runs.
    table.unique(['tenant_id', 'user_id', 'event_id']);
    table.foreign(['tenant_id', 'user_id']).references(['tenant_id', 'id']).inTable('users');
    table.check(
      `type in ('quote_won', 'quote_lost', 'quote_accepted', 'quote_rejected', 'quote_viewed', 'quote_expiring',
        'reminder', 'automation', 'webhook_disabled')`,
      [],
      'notifications_type',
    );
    table.index(['tenant_id', 'user_id', 'created_at', 'id'], 'notifications_newest');
  });
  // Every page queries the number of unread ones.
  await knex.raw('create index notifications_unread on notifications (tenant_id, user_id) where read_at is null');
  await protectTenantTable(knex, 'notifications', { app: ['select', 'insert', 'update (read_at)'] });
}

export async function down(knex: Knex): Promise<void> {
  await knex.schema.dropTable('notifications');
}
