import type { Knex } from 'knex';

const KINDS = ['invitation', 'password_reset', 'answer_member', 'answer_signer', 'change_request', 'quote_message'];
const SECURITY_KINDS = [
  'api_key_created',
  'password_changed',
  'two_factor_disabled',
  'recovery_code_used',
  'owner_added',
];
const listOf = (kinds: readonly string[]) => kinds.map((kind) => `'${kind}'`).join(', ');

/** Mails to a user about the security of the account, and where each session was last used from. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`alter table mails
    add column details text,
    drop constraint mails_kind,
    add constraint mails_kind check (kind in (${listOf([...KINDS, ...SECURITY_KINDS])})),
    drop constraint mails_subject,
    add constraint mails_subject check (num_nonnulls(token_id, quote_id, message_id, details) = 1),
    add constraint mails_details check ((details is not null) = (kind in (${listOf(SECURITY_KINDS)})))`);
  await knex.schema.alterTable('sessions', (table) => {
    table.timestamp('last_seen_at');
    // An IP address, and the User-Agent header cut to 512 characters.
    table.text('ip');
    table.text('user_agent');
  });
  await knex.raw('create index sessions_of_user on sessions (tenant_id, user_id) where revoked_at is null');
}

export async function down(knex: Knex): Promise<void> {
  await knex.schema.alterTable('sessions', (table) => {
    table.dropIndex([], 'sessions_of_user');
    table.dropColumns('last_seen_at', 'ip', 'user_agent');
  });
  await knex.raw('delete from mails where details is not null');
  await knex.raw(`alter table mails
    drop constraint mails_details,
    drop constraint mails_subject,
    add constraint mails_subject check (num_nonnulls(token_id, quote_id, message_id) = 1),
    drop constraint mails_kind,
    add constraint mails_kind check (kind in (${listOf(KINDS)})),
    drop column details`);
}
