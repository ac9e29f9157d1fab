import type { Knex } from 'knex';
import type { DispatcherDb } from '../dispatcher-db.ts';
import { isId } from '../ids.ts';
import type { TenantRef } from '../reads/tenants.ts';
import { ROLES } from '../roles.ts';
import { TENANT_TABLES } from '../tenant-tables.ts';
import { violatedConstraint } from '../violated-constraint.ts';

/** Rows of a batch, so that no transaction is long. */
const BATCH = 5_000;

/** What has been deleted of a tenant so far. A process that is killed may leave objects and executions uncounted. */
export interface Erased {
  readonly rows: number;
  readonly objects: number;
  readonly executions: number;
}

/**
 * Runs the function as the eraser, which can delete the rows of this tenant only, and only while it is disabled.
 *
 * @param knex a pool of the owner of the tables
 */
async function asEraser<T>(knex: Knex, tenantId: string, work: (trx: Knex.Transaction) => Promise<T>): Promise<T> {
  if (!isId(tenantId)) throw new Error('not a tenant id');
  return knex.transaction(async (trx) => {
    await trx.raw(`set local role ${ROLES.eraser}`);
    await trx.raw(`set local app.tenant_id = '${tenantId}'`);
    return work(trx);
  });
}

/** Deletes a disabled tenant's rows in all tables but `tenants`, batch by batch. Returns how many; repeating it is harmless. */
export const eraseRows = (knex: Knex, tenantId: string): Promise<number> =>
  eraseTables((table) =>
    asEraser(knex, tenantId, async (trx) => {
      const { rowCount } = await trx.raw<{ rowCount: number }>(
        `delete from ${table} where ctid = any (array(select ctid from ${table} where tenant_id = ? limit ${BATCH}))`,
        [tenantId],
      );
      if (rowCount > 0) await countRows(trx, tenantId, rowCount);
      return rowCount;
    }),
  );

/** In the transaction that deletes them, so that the count is exact even when a process is killed. */
const countRows = (trx: Knex.Transaction, tenantId: string, rows: number) =>
  trx.raw('update tenant_deletions set rows = rows + ? where id = ?', [rows, tenantId]);

async function eraseTables(eraseBatch: (table: string) => Promise<number>): Promise<number> {
  let rows = 0;
  for (const { name } of TENANT_TABLES) {
    if (name === 'tenants') continue;
    for (;;) {
      const deleted = await eraseBatch(name);
      rows += deleted;
      if (deleted < BATCH) break;
    }
  }
  return rows;
}

/** Registrations that were not confirmed within a day, oldest first. Their links and sessions have ended. */
export const expiredRegistrations = async (knex: DispatcherDb, limit: number): Promise<readonly TenantRef[]> =>
  knex<TenantRef>('tenants')
    .select('id', 'slug')
    .where('isVerified', false)
    .whereRaw(`created_at < now() - interval '25 hours'`)
    .orderBy('createdAt')
    .limit(limit);

/** Deletes all rows of an expired registration that was disabled. A function of the database refuses any other tenant. */
export async function eraseRegistration(knex: DispatcherDb, tenantId: string): Promise<number> {
  const erase = async (table: string): Promise<number> => {
    const { rows } = await knex.raw<{ rows: { erased: number }[] }>('select erase_registration(?, ?, ?) as erased', [
      tenantId,
      table,
      BATCH,
    ]);
    return rows[0]?.erased ?? 0;
  };
  return (await eraseTables(erase)) + (await erase('tenants'));
}

/** Deletes the tenant's own row, after which no row can refer to it. Returns false when one still does. */
export async function eraseTenant(knex: Knex, tenantId: string): Promise<boolean> {
  try {
    await asEraser(knex, tenantId, async (trx) => {
      await trx.raw('delete from tenants where id = ?', [tenantId]);
      await countRows(trx, tenantId, 1);
    });
    return true;
  } catch (error) {
    if (violatedConstraint(error) !== undefined) return false;
    throw error;
  }
}

/** How many rows of the tenant each table holds, as its owner sees them: those of every table with a `tenant_id`, known or not. */
export async function countTenantRows(owner: Knex, tenantId: string): Promise<ReadonlyMap<string, number>> {
  const { rows: tables } = await owner.raw<{ rows: { name: string; key: string }[] }>(
    `select table_name as name, column_name as key from information_schema.columns
       join information_schema.tables using (table_schema, table_name)
      where table_schema = 'public' and table_type = 'BASE TABLE'
        and (column_name = 'tenant_id' or (table_name = 'tenants' and column_name = 'id'))`,
  );
  const counts = new Map<string, number>();
  for (const { name, key } of tables) {
    const { rows } = await owner.raw<{ rows: { count: string }[] }>('select count(*) from ?? where ?? = ?', [
      name,
      key,
      tenantId,
    ]);
    const count = Number(rows[0]?.count);
    if (count > 0) counts.set(name, count);
  }
  return counts;
}

/** A deletion that was begun, whether or not it ended; it outlives the tenant. */
export interface TenantDeletion {
  readonly id: string;
  readonly slug: string;
  readonly startedAt: Date;
  readonly completedAt: Date | null;
}

/** The deletion of the tenant with this slug or id. */
export const findDeletion = async (owner: Knex, slugOrId: string): Promise<TenantDeletion | undefined> =>
  owner<TenantDeletion>('tenant_deletions')
    .select('id', 'slug', 'startedAt', 'completedAt')
    .where('slug', slugOrId)
    .orWhere('id', slugOrId)
    .first();

/** Records that the deletion of a tenant has begun; a repeated one keeps the first moment. */
export async function beginDeletion(knex: Knex, { id, slug }: { readonly id: string; readonly slug: string }) {
  await asEraser(knex, id, (trx) =>
    trx.raw('insert into tenant_deletions (id, slug) values (?, ?) on conflict (id) do nothing', [id, slug]),
  );
}

/** Adds to what a deletion has deleted, and may end it. */
export async function recordErased(
  knex: Knex,
  id: string,
  {
    objects = 0,
    executions = 0,
    isComplete = false,
  }: { readonly objects?: number; readonly executions?: number; readonly isComplete?: boolean },
): Promise<Erased> {
  const { rows: recorded } = await asEraser(knex, id, (trx) =>
    trx.raw<{ rows: Record<keyof Erased, string>[] }>(
      `update tenant_deletions
          set objects = objects + ?, executions = executions + ?,
              completed_at = case when ? then coalesce(completed_at, now()) else completed_at end
        where id = ? returning rows, objects, executions`,
      [objects, executions, isComplete, id],
    ),
  );
  const [total] = recorded;
  return {
    rows: Number(total?.rows),
    objects: Number(total?.objects),
    executions: Number(total?.executions),
  };
}
