import type { Knex } from 'knex';
import { rowsOf } from './database.ts';

/** What PostgreSQL itself says of the schema, so that a table is tested before anyone thinks of adding it to a list. */

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
        and is_identity = 'NO' and is_generated = 'NEVER'
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
