import type { Knex } from 'knex';
import { ROLES } from './roles.ts';

/** What a role may do with a table, as GRANT spells it. */
export type Privilege = 'select' | 'insert' | 'update' | 'delete' | `select (${string})` | `update (${string})`;

/** The name of the dispatcher's policies: that of its role in former versions, which existing databases have. */
const OF_DISPATCHER = 'relay';

/**
 * Puts a tenant's table behind forced row-level security. Landed migrations call this: its effect must not change.
 * Unset means no rows; the sub-select makes PostgreSQL read the setting once a query instead of once a row.
 */
export async function protectTenantTable(
  knex: Knex,
  table: string,
  {
    app,
    dispatcher = [],
    key = 'tenant_id',
  }: { app: readonly Privilege[]; dispatcher?: readonly Privilege[]; key?: string },
): Promise<void> {
  const mine = `${key} = (select current_setting('app.tenant_id', true))`;
  await knex.raw(`alter table ${table} enable row level security`);
  await knex.raw(`alter table ${table} force row level security`);
  await knex.raw(`create policy tenant on ${table} to ${ROLES.app} using (${mine}) with check (${mine})`);
  // Without it, a later backfill by the owner would change 0 rows and say nothing.
  await knex.raw(`create policy owner on ${table} to current_user using (true) with check (true)`);
  if (app.length > 0) await knex.raw(`grant ${app.join(', ')} on ${table} to ${ROLES.app}`);
  if (dispatcher.length > 0) {
    await knex.raw(`create policy ${OF_DISPATCHER} on ${table} to ${ROLES.dispatcher} using (true) with check (true)`);
    await knex.raw(`grant ${dispatcher.join(', ')} on ${table} to ${ROLES.dispatcher}`);
  }
}

/** Lets the dispatcher and the reconciler read these columns of a table, over all tenants. */
export async function readableByDispatcher(knex: Knex, table: string, columns: readonly string[]): Promise<void> {
  await knex.raw(`create policy ${OF_DISPATCHER} on ${table} for select to ${ROLES.dispatcher} using (true)`);
  await knex.raw(`grant select (${columns.join(', ')}) on ${table} to ${ROLES.dispatcher}`);
}

/**
 * Lets the eraser role delete the rows of the tenant that the transaction names, if that tenant is disabled. Every table
 * of tenants needs it. Landed migrations call this: its effect must not change.
 */
export async function allowErasure(knex: Knex, table: string): Promise<void> {
  // The sub-select is read once a query; the eraser sees a disabled tenant's row only.
  const mine = `tenant_id = (select t.id from tenants t where t.id = current_setting('app.tenant_id', true))`;
  await knex.raw(`create policy erase on ${table} for select to ${ROLES.eraser} using (${mine})`);
  await knex.raw(`create policy erase_delete on ${table} for delete to ${ROLES.eraser} using (${mine})`);
  await knex.raw(`grant select (tenant_id, ctid), delete on ${table} to ${ROLES.eraser}`);
}

/** Lets the look-up role read these columns of a table, over all tenants. */
export async function readableByLookups(knex: Knex, table: string, columns: readonly string[]): Promise<void> {
  await knex.raw(`create policy lookup on ${table} for select to ${ROLES.lookup} using (true)`);
  await knex.raw(`grant select (${columns.join(', ')}) on ${table} to ${ROLES.lookup}`);
}

/**
 * Creates a look-up for the app role that runs as the look-up role: SECURITY DEFINER, with a fixed search path.
 * `signature` is "name(argument type)"; the body is SQL and returns ids only.
 */
export async function createLookup(knex: Knex, signature: string, returns: string, body: string): Promise<void> {
  await knex.raw(
    `create function ${signature} returns table (${returns}) language sql stable security definer
     set search_path = pg_catalog, public as $lookup$ ${body.replaceAll('?', '\\?')} $lookup$`,
  );
  const name = signature.replace(/\((?:\w+ )?(\w+)\)/, '($1)');
  await knex.raw(`revoke all on function ${name} from public`);
  await knex.raw(`grant execute on function ${name} to ${ROLES.app}`);
  // Giving a function away takes membership of the new owner and its right to create in the schema, for a moment.
  await knex.raw(`grant ${ROLES.lookup} to current_user`);
  await knex.raw(`grant create on schema public to ${ROLES.lookup}`);
  await knex.raw(`alter function ${name} owner to ${ROLES.lookup}`);
  await knex.raw(`revoke create on schema public from ${ROLES.lookup}`);
  await knex.raw(`revoke ${ROLES.lookup} from current_user`);
}

/** Drops a look-up; its owner is another role, so that role is borrowed again. */
export async function dropLookup(knex: Knex, name: string): Promise<void> {
  await knex.raw(`grant ${ROLES.lookup} to current_user`);
  await knex.raw(`drop function ${name}`);
  await knex.raw(`revoke ${ROLES.lookup} from current_user`);
}
