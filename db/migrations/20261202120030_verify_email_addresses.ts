import type { Knex } from 'knex';
import { createLookup, dropLookup, readableByLookups } from '../row-security.ts';

const SIGNATURE = 'find_user_by_email(address text)';
const RETURNS = 'tenant_id text, user_id text';
const FOLDED = 'lower(email collate "C")';
const KINDS = ['invitation', 'password_reset', 'email_verification'];
const OTHER_MAILS = [
  'answer_member',
  'answer_signer',
  'change_request',
  'quote_message',
  'api_key_created',
  'password_changed',
  'two_factor_disabled',
  'recovery_code_used',
  'owner_added',
];
const listOf = (kinds: readonly string[]) => kinds.map((kind) => `'${kind}'`).join(', ');

/**
 * Addresses are proved by a mail. Only a proved one is taken for others: neither a registration that was not confirmed nor
 * an invitation that was not accepted reserves it.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`alter table tenants add column is_verified boolean not null default true`);
  // A process of the former version inserts users without it; theirs count as proved, as all before did.
  await knex.raw(`alter table users add column email_verified_at timestamptz default now()`);
  await knex.raw(`update users set email_verified_at = null where password_hash is null and invited_at is not null`);
  await knex.raw(`drop index users_email`);
  await knex.raw(`create unique index users_email on users (${FOLDED}) where email_verified_at is not null`);
  await knex.raw(`create unique index users_email_of_tenant on users (tenant_id, ${FOLDED})`);
  await knex.raw(`create index users_email_unverified on users (${FOLDED}) where email_verified_at is null`);
  await dropLookup(knex, 'find_user_by_email(text)');
  await knex.raw('drop policy lookup on users');
  const columns = ['id', 'tenant_id', 'email', 'email_verified_at', 'invited_at', 'created_at'];
  await readableByLookups(knex, 'users', columns);
  // The proved one, then the newest registration of the last day, then the newest invitation.
  await createLookup(
    knex,
    SIGNATURE,
    RETURNS,
    `select u.tenant_id, u.id from public.users u
      where lower(u.email collate "C") = lower(address collate "C")
        and (u.email_verified_at is not null or u.invited_at is not null or u.created_at > now() - interval '1 day')
      order by u.email_verified_at is null, u.invited_at is not null, u.created_at desc
      limit 1`,
  );
  await allowKinds(knex, KINDS, [...KINDS, ...OTHER_MAILS]);
}

async function allowKinds(knex: Knex, tokens: readonly string[], mails: readonly string[]): Promise<void> {
  await knex.raw(`alter table one_time_tokens drop constraint one_time_tokens_kind,
    add constraint one_time_tokens_kind check (kind in (${listOf(tokens)}))`);
  await knex.raw(`alter table mails drop constraint mails_kind,
    add constraint mails_kind check (kind in (${listOf(mails)}))`);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`delete from mails where kind = 'email_verification'`);
  await knex.raw(`delete from one_time_tokens where kind = 'email_verification'`);
  const former = ['invitation', 'password_reset'];
  await allowKinds(knex, former, [...former, ...OTHER_MAILS]);
  await dropLookup(knex, 'find_user_by_email(text)');
  await knex.raw('drop index users_email, users_email_of_tenant, users_email_unverified');
  await knex.raw('alter table users drop column email_verified_at');
  await knex.raw('alter table tenants drop column is_verified');
  await knex.raw(`create unique index users_email on users (${FOLDED})`);
  await createLookup(
    knex,
    SIGNATURE,
    RETURNS,
    'select u.tenant_id, u.id from public.users u where lower(u.email collate "C") = lower(address collate "C")',
  );
}
