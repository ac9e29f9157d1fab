import type { Knex } from 'knex';
import { protectTenantTable } from '../row-security.ts';

/** Shares by mail: their recipients and message, which no workflow may hold, and the recipients that were refused. */
export async function up(knex: Knex): Promise<void> {
  await knex.schema.createTable('quote_shares', (table) => {
    table.text('id').primary();
    table.text('tenant_id').notNullable();
    table.text('quote_id').notNullable();
    // Of the quote when it was shared: recipients chosen for one client get no quote of another.
    table.text('client_id').notNullable();
    // JSON as text, so that two shares can be compared.
    table.text('recipients');
    table.text('message');
    table.text('status').notNullable().defaultTo('PENDING');
    // Positions in the list of all recipients, `to` first.
    table.specificType('rejected', 'integer[]').notNullable().defaultTo('{}');
    table.timestamp('created_at').notNullable().defaultTo(knex.fn.now());
    table.timestamp('closed_at');
    table.unique(['tenant_id', 'id']);
    table.foreign(['tenant_id', 'quote_id']).references(['tenant_id', 'id']).inTable('quotes');
    table.foreign(['tenant_id', 'client_id']).references(['tenant_id', 'id']).inTable('clients');
    table.check("status in ('PENDING', 'SENT', 'FAILED')", [], 'quote_shares_status');
    table.check("(status = 'PENDING') = (closed_at is null)", [], 'quote_shares_closed');
    table.check('char_length(message) <= 1000', [], 'quote_shares_message');
  });
  await knex.raw('create index quote_shares_of_quote on quote_shares (tenant_id, quote_id, created_at desc)');
  await protectTenantTable(knex, 'quote_shares', {
    app: ['select', 'insert', 'update (status, rejected, closed_at)'],
  });
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('drop table quote_shares');
}
