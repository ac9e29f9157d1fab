import type { Knex } from 'knex';
import { rowsOf } from './database.ts';

/** What PostgreSQL itself says of the schema, so that a table is tested before anyone thinks of adding it to a list. */

/** It outlives tenants and no tenant reads it. */
export const TABLE_OF_OPERATORS = 'tenant_deletions';

export interface TenantTable {
  readonly name: string;
  /** The column that names the tenant: `id` in `tenants`, else `tenant_id`. */
  readonly key: string;
  /** Columns that can be written. */
  readonly columns: readonly Column[];
}

export interface Column {
  readonly name: string;
  readonly type: string;
  /** Whether a row needs a value for it. */
  readonly isRequired: boolean;
}

/** A foreign key between tables of tenants. */
export interface Link {
  readonly constraint: string;
  readonly table: string;
  readonly target: string;
  /** Columns of the key and those that they refer to, in the same order. */
  readonly columns: readonly string[];
  readonly targetColumns: readonly string[];
}

export const tenantTables = (db: Knex): Promise<TenantTable[]> =>
  rowsOf<TenantTable>(
    db,
    `select table_name as name,
            case table_name when 'tenants' then 'id' else 'tenant_id' end as key,
            json_agg(json_build_object('name', column_name, 'type', udt_name,
              'isRequired', is_nullable = 'NO' and column_default is null) order by ordinal_position) as columns
       from information_schema.columns join information_schema.tables using (table_schema, table_name)
      where table_schema = 'public' and table_type = 'BASE TABLE' and not starts_with(table_name, 'knex_')
        and table_name <> '${TABLE_OF_OPERATORS}' and is_identity = 'NO' and is_generated = 'NEVER'
      group by table_name order by table_name`,
  );

export const tenantLinks = (db: Knex): Promise<Link[]> =>
  rowsOf<Link>(
    db,
    `select conname as constraint, conrelid::regclass::text as table, confrelid::regclass::text as target,
            (select json_agg(attname order by n) from unnest(conkey) with ordinality as k (num, n)
               join pg_attribute on attrelid = conrelid and attnum = num) as columns,
            (select json_agg(attname order by n) from unnest(confkey) with ordinality as k (num, n)
               join pg_attribute on attrelid = confrelid and attnum = num) as "targetColumns"
       from pg_constraint where contype = 'f' and connamespace = 'public'::regnamespace order by conname`,
  );

/** Every object of the schema with its definition, owner, grants and policies, as sorted lines; not Knex's bookkeeping. */
export async function schemaOf(db: Knex): Promise<readonly string[]> {
  const lines = await linesOf(
    db,
    `select format('table %s owner %s row security %s %s', relname, pg_get_userbyid(relowner), relrowsecurity, relforcerowsecurity) as line
       from pg_class where relnamespace = 'public'::regnamespace and relkind in ('r', 'S', 'v', 'm', 'p')
     union all select format('column %s.%s %s %s %s %s %s', table_name, column_name, ordinal_position, data_type, is_nullable,
         column_default, concat(numeric_precision, ',', numeric_scale, ' ', is_identity, identity_generation))
       from information_schema.columns where table_schema = 'public'
     union all select format('constraint %s %s %s', conrelid::regclass, conname, pg_get_constraintdef(oid))
       from pg_constraint where connamespace = 'public'::regnamespace
     union all select 'index ' || indexdef from pg_indexes where schemaname = 'public'
     union all select format('policy %s %s %s %s %s %s %s', tablename, policyname, permissive, cmd, roles, qual, with_check)
       from pg_policies
     union all select format('grant %s to %s by %s', relname, grantee::regrole, grantor::regrole) || ' ' || privilege_type || is_grantable
       from pg_class, aclexplode(coalesce(relacl, acldefault('r', relowner)))
       where relnamespace = 'public'::regnamespace and relkind in ('r', 'S')
     union all select format('grant %s to %s %s', attrelid::regclass || '.' || attname, grantee::regrole, privilege_type)
       from pg_attribute, aclexplode(attacl) where attrelid::regclass::text not like 'pg\\_%'
     union all select format('function %s owner %s grants %s %s', oid::regprocedure, pg_get_userbyid(proowner), proacl,
         pg_get_functiondef(oid))
       from pg_proc where pronamespace = 'public'::regnamespace and probin is null
     union all select format('trigger %s %s', tgrelid::regclass, pg_get_triggerdef(oid)) from pg_trigger where not tgisinternal
     union all select format('comment %s %s', pg_describe_object(classoid, objoid, objsubid), description)
       from pg_description where objoid >= 16384 and classoid in ('pg_class'::regclass, 'pg_policy'::regclass)`,
  );
  return lines.filter((line) => !line.includes('knex_'));
}

/** Roles, extensions, and the grants and default privileges of schemas, as sorted lines. */
export const surroundingsOf = (db: Knex): Promise<readonly string[]> =>
  linesOf(
    db,
    `select format('extension %s %s of %s', extname, extversion, pg_get_userbyid(extowner)) as line from pg_extension
     union all select format('schema %s %s', nspname, nspacl) from pg_namespace where not starts_with(nspname, 'pg_')
     union all select format('default %s %s %s', defaclrole::regrole, defaclobjtype, defaclacl) from pg_default_acl
     union all select format('role %s %s', rolname, concat_ws(' ', rolsuper, rolinherit, rolcreaterole, rolcreatedb, rolcanlogin, rolbypassrls))
       from pg_roles where starts_with(rolname, 'quoting_')
     union all select format('member %s of %s %s %s', member::regrole, roleid::regrole, inherit_option, set_option)
       from pg_auth_members where not starts_with(roleid::regrole::text, 'pg_')`,
  );

async function linesOf(db: Knex, sql: string): Promise<string[]> {
  const rows = await rowsOf<{ line: string }>(db, sql);
  return rows.map(({ line }) => line).toSorted();
}
