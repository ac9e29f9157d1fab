import type { Knex } from 'knex';
import { createLookup, dropLookup } from '../row-security.ts';

const SIGNATURE = 'find_user_by_email(address text)';
const RETURNS = 'tenant_id text, user_id text';

/**
 * The same case folding as `foldEmailAddress`: A–Z only. With other collations lower() folds other letters as well,
 * such as İ and the Kelvin sign, so that one account had several spellings that were counted separately.
 */
export async function up(knex: Knex): Promise<void> {
  await replace(knex, 'collate "C"');
}

export async function down(knex: Knex): Promise<void> {
  await replace(knex, '');
}

async function replace(knex: Knex, collation: string): Promise<void> {
  await dropLookup(knex, 'find_user_by_email(text)');
  await knex.raw('drop index users_email');
  await knex.raw(`create unique index users_email on users (lower(email ${collation}))`);
  await createLookup(
    knex,
    SIGNATURE,
    RETURNS,
    `select u.tenant_id, u.id from public.users u where lower(u.email ${collation}) = lower(address ${collation})`,
  );
}
