import type { Knex } from 'knex';

/**
 * The database roles, none of them a superuser and none with BYPASSRLS: managed PostgreSQL gives neither.
 * The app and dispatcher roles are members of nothing, since policies are inherited through membership.
 */
export const ROLES = {
  /** API and activities: one tenant at a time, owns nothing. */
  app: 'quoting_app',
  /** Dispatcher and reconciler: all tenants, but only the tables of their work. */
  dispatcher: 'quoting_dispatcher',
  /** Owns the look-ups that come before a tenant is known. It has no login. */
  lookup: 'quoting_lookup',
  /** Deletes the rows of one disabled tenant. It has no login: only the owner of the tables can become it. */
  eraser: 'quoting_eraser',
} as const;

/** The name of the dispatcher's role in databases of former versions. */
const FORMER_DISPATCHER = 'quoting_relay';

const INSUFFICIENT_PRIVILEGE = '42501';

/** Creates the roles, or gives them the passwords of the URLs again. */
export async function ensureRoles(admin: Knex, urls: { app: string; dispatcher: string }): Promise<void> {
  // The dispatcher's role had another name before; it keeps its grants and policies.
  await admin.raw(`do $$ begin
    if exists (select from pg_roles where rolname = '${FORMER_DISPATCHER}')
       and not exists (select from pg_roles where rolname = '${ROLES.dispatcher}')
    then alter role ${FORMER_DISPATCHER} rename to ${ROLES.dispatcher}; end if;
  end $$`);
  await ensureLogin(admin, ROLES.app, urls.app);
  await ensureLogin(admin, ROLES.dispatcher, urls.dispatcher);
  for (const role of [ROLES.lookup, ROLES.eraser]) {
    await admin.raw(`do $$ begin
      if not exists (select from pg_roles where rolname = '${role}') then create role ${role} nologin; end if;
    end $$`);
  }
}

async function ensureLogin(admin: Knex, role: string, url: string): Promise<void> {
  const { username, password } = new URL(url);
  if (decodeURIComponent(username) !== role) throw new Error(`the URL for ${role} logs in as another role`);
  const { rows } = await admin.raw<{ rows: { exists: boolean }[] }>(
    'select exists (select from pg_roles where rolname = ?) as exists',
    [role],
  );
  // A superuser attribute may not even be named by a role that is none, so a new role gets the (safe) defaults.
  const verb = rows[0]?.exists ? 'alter' : 'create';
  // format(%L) quotes the password; role names are our own constants.
  const { rows: statements } = await admin.raw<{ rows: { sql: string }[] }>(
    `select format('${verb} role ${role} login password %L', ?::text) as sql`,
    [decodeURIComponent(password)],
  );
  for (const { sql } of statements) await runUnlessManaged(admin, sql.replaceAll('?', '\\?'));
}

/** A role that a database administrator made is theirs: that we may not set its password is no failure. */
async function runUnlessManaged(admin: Knex, sql: string): Promise<void> {
  try {
    // A savepoint, so that a transaction of the caller's goes on.
    await admin.transaction((trx) => trx.raw(sql));
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined;
    if (sql.startsWith('alter') && code === INSUFFICIENT_PRIVILEGE) return;
    // oxlint-disable-next-line preserve-caught-error -- Knex puts the statement into it, and with it the password
    throw new Error(`a database role could not be set up (SQLSTATE ${String(code)})`);
  }
}
