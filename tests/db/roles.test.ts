import assert from 'node:assert/strict';
import { outcomeOf, rowsOf } from './database.ts';
import { type TwoTenants, twoTenants } from './two-tenants.ts';

const DENIED = '42501';
const OURS = "('quoting_app', 'quoting_dispatcher', 'quoting_eraser', 'quoting_lookup')";

describe('database roles', () => {
  let db: TwoTenants;
  before(async () => {
    db = await twoTenants();
  });

  it('are no superusers, bypass no policy, and create neither roles nor databases', async () => {
    const rows = await rowsOf(
      db.owner,
      `select rolname, rolsuper, rolbypassrls, rolcreaterole, rolcreatedb, rolreplication, rolcanlogin
         from pg_roles where rolname in ${OURS} or rolname = 'quoting_owner' order by rolname`,
    );

    const nothing = { rolsuper: false, rolbypassrls: false, rolcreatedb: false, rolreplication: false };
    assert.deepEqual(rows, [
      { rolname: 'quoting_app', ...nothing, rolcreaterole: false, rolcanlogin: true },
      { rolname: 'quoting_dispatcher', ...nothing, rolcreaterole: false, rolcanlogin: true },
      { rolname: 'quoting_eraser', ...nothing, rolcreaterole: false, rolcanlogin: false },
      { rolname: 'quoting_lookup', ...nothing, rolcreaterole: false, rolcanlogin: false },
      { rolname: 'quoting_owner', ...nothing, rolcreaterole: true, rolcanlogin: true },
    ]);
  });

  it('app and dispatcher own nothing', async () => {
    const owned = await rowsOf(
      db.owner,
      `select rolname, classid::regclass::text as class, objid from pg_shdepend
         join pg_roles on pg_roles.oid = refobjid where deptype = 'o' and rolname in ('quoting_app', 'quoting_dispatcher')`,
    );

    assert.deepEqual(owned, []);
  });

  it('app, dispatcher, eraser and lookup are members of no role', async () => {
    const memberships = await rowsOf(
      db.owner,
      `select m.rolname as member, r.rolname as role from pg_auth_members
         join pg_roles m on m.oid = member join pg_roles r on r.oid = roleid where m.rolname in ${OURS}`,
    );

    assert.deepEqual(memberships, []);
  });

  it('app and dispatcher cannot create objects in the schema', async () => {
    const outcomes = await Promise.all([db.app, db.dispatcher].map((as) => outcomeOf(as, 'create table t (id int)')));

    assert.deepEqual(outcomes, [DENIED, DENIED]);
  });

  it('app can become no other role', async () => {
    const outcomes = await Promise.all(
      ['quoting_owner', 'quoting_dispatcher', 'quoting_lookup', 'quoting_eraser'].map((role) =>
        outcomeOf(db.app, `set role ${role}`),
      ),
    );

    assert.deepEqual(outcomes, [DENIED, DENIED, DENIED, DENIED]);
  });

  it('the owner neither inherits nor can become the lookup role', async () => {
    const [row] = await rowsOf(
      db.owner,
      `select pg_has_role('quoting_owner', 'quoting_lookup', 'usage') as inherits,
              pg_has_role('quoting_owner', 'quoting_lookup', 'set') as becomes`,
    );

    assert.deepEqual(row, { inherits: false, becomes: false });
  });

  it('the lookup and eraser roles cannot create objects in the schema', async () => {
    const [row] = await rowsOf(
      db.owner,
      `select has_schema_privilege('quoting_lookup', 'public', 'create') as lookup,
              has_schema_privilege('quoting_eraser', 'public', 'create') as eraser`,
    );

    assert.deepEqual(row, { lookup: false, eraser: false });
  });

  it('nothing in the schema is granted to everyone', async () => {
    const grants = await rowsOf(
      db.owner,
      `select table_name, privilege_type from information_schema.role_table_grants
        where table_schema = 'public' and grantee = 'PUBLIC'`,
    );

    assert.deepEqual(grants, []);
  });
});

describe('lookup functions before the tenant is known', () => {
  let db: TwoTenants;
  before(async () => {
    db = await twoTenants();
  });

  interface Lookup {
    readonly name: string;
    readonly owner: string;
    readonly settings: readonly string[];
    readonly columns: readonly string[];
    readonly isForEveryone: boolean;
  }
  const definers = () =>
    rowsOf<Lookup>(
      db.owner,
      `select proname as name, pg_get_userbyid(proowner) as owner, coalesce(proconfig, '{}') as settings,
              coalesce((select array_agg(arg order by n) from unnest(proargnames, proargmodes) with ordinality as a (arg, mode, n)
                         where mode = 't'), '{}') as columns,
              has_function_privilege('public', oid, 'execute') as "isForEveryone"
         from pg_proc where pronamespace = 'public'::regnamespace and prosecdef
          and proname <> 'erase_registration' order by proname`,
    );

  it('are owned by quoting_lookup, have a fixed search path, and are not executable by PUBLIC', async () => {
    const lookups = await definers();

    const wrong = lookups.filter(
      ({ owner, settings, isForEveryone }) =>
        owner !== 'quoting_lookup' || settings.join() !== 'search_path=pg_catalog, public' || isForEveryone,
    );
    assert.deepEqual(wrong, []);
    assert.ok(lookups.length >= 3);
  });

  it('return ids and nothing else', async () => {
    const lookups = await definers();

    const more = lookups.flatMap(({ columns }) => columns).filter((column) => !/^(\w+_)?id$/.test(column));
    assert.deepEqual(more, []);
    assert.ok(lookups.every(({ columns }) => columns.length > 0));
  });

  it('one other function runs as another role: it erases expired registrations as the eraser, for the dispatcher only', async () => {
    const others = await rowsOf(
      db.owner,
      `select proname as name, pg_get_userbyid(proowner) as owner, proconfig as settings,
              (select array_agg(r order by r) from unnest(array['public', 'quoting_app', 'quoting_dispatcher', 'quoting_lookup']) r
                where has_function_privilege(r, oid, 'execute')) as callers
         from pg_proc where pronamespace = 'public'::regnamespace and prosecdef and pg_get_userbyid(proowner) <> 'quoting_lookup'`,
    );

    assert.deepEqual(others, [
      {
        name: 'erase_registration',
        owner: 'quoting_eraser',
        settings: ['search_path=pg_catalog, public'],
        callers: ['quoting_dispatcher'],
      },
    ]);
  });

  it('find a user by e-mail case-insensitively, without a tenant set', async () => {
    const [user] = await rowsOf<{ email: string; id: string }>(
      db.owner,
      'select id, email from users where tenant_id = ?',
      [db.mine],
    );

    const found = await rowsOf(db.app, 'select * from find_user_by_email(?)', [user?.email.toUpperCase() ?? '']);

    assert.deepEqual(found, [{ tenant_id: db.mine, user_id: user?.id }]);
  });

  it('give the app role no access to the columns that they read', async () => {
    const rows = await rowsOf(db.app, 'select id, email from users');

    assert.deepEqual(rows, []);
  });
});
