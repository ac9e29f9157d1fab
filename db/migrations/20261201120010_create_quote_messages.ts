import type { Knex } from 'knex';
import { ROLES } from '../roles.ts';
import { protectTenantTable } from '../row-security.ts';

const NOTIFICATIONS = [
  'quote_won',
  'quote_lost',
  'quote_accepted',
  'quote_rejected',
  'quote_viewed',
  'quote_expiring',
  'reminder',
  'automation',
  'webhook_disabled',
];
const ENDED = `status <> 'PENDING' and closed_at < now() - interval '1 day'`;

/** Messages between a client and the business about a quote, and their mails. */
export async function up(knex: Knex): Promise<void> {
  await knex.schema.createTable('quote_messages', (table) => {
    table.text('id').primary();
    table.text('tenant_id').notNullable();
    table.text('quote_id').notNullable();
    table.text('direction').notNullable();
    // Of the member who wrote; null for the client.
    table.text('user_id');
    // As typed on the page, unverified; or those of the member.
    table.text('author_name');
    table.text('author_email');
    table.text('body').notNullable();
    // Of the quote when it was written.
    table.integer('version').notNullable();
    table.timestamp('created_at').notNullable();
    table.unique(['tenant_id', 'id']);
    table.foreign(['tenant_id', 'quote_id']).references(['tenant_id', 'id']).inTable('quotes');
    table.foreign(['tenant_id', 'user_id']).references(['tenant_id', 'id']).inTable('users');
    table.check("direction in ('inbound', 'outbound')", [], 'quote_messages_direction');
    table.check("(direction = 'outbound') = (user_id is not null)", [], 'quote_messages_author');
    table.check('char_length(body) between 1 and 2000', [], 'quote_messages_body');
  });
  await knex.raw(
    'create index quote_messages_newest on quote_messages (tenant_id, quote_id, created_at desc, id desc)',
  );
  await protectTenantTable(knex, 'quote_messages', { app: ['select', 'insert'] });

  await knex.raw(`alter table mails
    add column message_id text,
    add foreign key (tenant_id, message_id) references quote_messages (tenant_id, id),
    drop constraint mails_kind,
    add constraint mails_kind check (kind in
      ('invitation', 'password_reset', 'answer_member', 'answer_signer', 'change_request', 'quote_message')),
    drop constraint mails_subject,
    add constraint mails_subject check (num_nonnulls(token_id, quote_id, message_id) = 1),
    drop constraint mails_recipient,
    add constraint mails_recipient check ((user_id is null) = (kind = 'answer_signer' or kind = 'quote_message'))`);
  await knex.raw('create index mails_of_message on mails (tenant_id, message_id) where message_id is not null');
  // The state of a message's mail is part of the message.
  await knex.raw(`grant select (message_id) on mails to ${ROLES.dispatcher}`);
  await purgePolicy(knex, `${ENDED} and message_id is null`);
  await allowNotifications(knex, [...NOTIFICATIONS, 'quote_changes_requested']);
}

async function purgePolicy(knex: Knex, rows: string): Promise<void> {
  await knex.raw('drop policy purge on mails');
  await knex.raw(`create policy purge on mails for delete to ${ROLES.dispatcher} using (${rows})`);
}

const allowNotifications = (knex: Knex, types: readonly string[]) =>
  knex.raw(`alter table notifications drop constraint notifications_type, add constraint notifications_type
    check (type in (${types.map((type) => `'${type}'`).join(', ')}))`);

export async function down(knex: Knex): Promise<void> {
  await knex.raw("delete from notifications where type = 'quote_changes_requested'");
  await allowNotifications(knex, NOTIFICATIONS);
  await purgePolicy(knex, ENDED);
  await knex.raw('delete from mails where message_id is not null');
  await knex.raw(`alter table mails
    drop constraint mails_subject,
    add constraint mails_subject check ((token_id is null) <> (quote_id is null)),
    drop constraint mails_recipient,
    add constraint mails_recipient check ((user_id is null) = (kind = 'answer_signer')),
    drop constraint mails_kind,
    add constraint mails_kind check (kind in ('invitation', 'password_reset', 'answer_member', 'answer_signer')),
    drop column message_id`);
  await knex.raw('drop table quote_messages');
}
