import { setTimeout as sleep } from 'node:timers/promises';
import type { Knex } from 'knex';
import { connect } from './database.ts';

/** A role for which row-level security, which keeps businesses apart, does not hold. Names the setting, shows no value. */
export class UnsafeRole extends Error {
  override readonly name = 'UnsafeRole';
}

/** Milliseconds between two questions while PostgreSQL is away. */
const PAUSE_MS = 1_000;

/**
 * Throws UnsafeRole when one of these URLs, by setting, logs in as a role that owns tables, is a superuser or has
 * BYPASSRLS. While PostgreSQL does not answer the process starts all the same and is ended by the later answer.
 */
export async function refuseUnsafeRoles(urls: Readonly<Record<string, string>>): Promise<void> {
  await Promise.all(
    Object.entries(urls).map(async ([setting, url]) => {
      const knex = connect({ url, pool: 1, applicationName: 'quoting-role-check' });
      if (await isSafe(setting, knex)) return;
      // Not awaited: PostgreSQL may come later than we. A rejection ends the process.
      void untilSafe(setting, knex);
    }),
  );
}

async function untilSafe(setting: string, knex: Knex): Promise<void> {
  do await sleep(PAUSE_MS, undefined, { ref: false });
  while (!(await isSafe(setting, knex)));
}

/** False while that is not known. */
async function isSafe(setting: string, knex: Knex): Promise<boolean> {
  const fault = await faultOf(knex).catch(() => null);
  if (fault === null) return false;
  await knex.destroy();
  if (fault === undefined) return true;
  throw new UnsafeRole(
    `The configuration is unsafe:\n  ${setting}: its role ${fault}, so that row-level security does not hold for it`,
  );
}

/** What is wrong with the role of this connection, or with one that it is a member of. */
async function faultOf(knex: Knex): Promise<string | undefined> {
  const { rows } = await knex.raw<{ rows: { isSuperuser: boolean; bypasses: boolean; isOwner: boolean }[] }>(
    `select bool_or(r.rolsuper) as "isSuperuser", bool_or(r.rolbypassrls) as bypasses,
            exists (select from pg_class c
                     where c.relkind in ('r', 'p') and c.relnamespace = 'public'::regnamespace
                       and pg_has_role(current_user, c.relowner, 'member')) as "isOwner"
       from pg_roles r where pg_has_role(current_user, r.oid, 'member')`,
  );
  const [role] = rows;
  if (role?.isSuperuser) return 'is a superuser';
  if (role?.bypasses) return 'has BYPASSRLS';
  return role?.isOwner ? 'owns tables' : undefined;
}
