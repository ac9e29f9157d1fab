import { setTimeout as sleep } from 'node:timers/promises';
import type { Client as TemporalClient } from '@temporalio/client';
import type { Knex } from 'knex';
import type { Storage } from '../adapters/storage.ts';
import { countRunning } from '../adapters/temporal/tenant-executions.ts';
import {
  beginDeletion,
  countTenantRows,
  type Erased,
  eraseRows,
  eraseTenant,
  recordErased,
} from '../db/writes/erase-tenant.ts';
import { disableTenant } from '../db/writes/disable-tenant.ts';
import type { TenantRef } from '../db/reads/tenants.ts';
import type { WithTenant } from '../db/with-tenant.ts';
import { CommandError } from './commands/command.ts';
import { terminateExecutions } from './tenant-executions.ts';
import { countObjects, removeObjects } from '../adapters/tenant-objects.ts';

/** A request that began before the tenant was disabled has ended by then: the API answers within ten seconds. */
const REQUESTS_END_MS = 11_000;
/** Passes over the rows until none is written any more. */
const MAX_PASSES = 20;

export interface DeletionDeps {
  /** As the owner of the tables, who can become the eraser. */
  readonly owner: Knex;
  readonly withTenant: WithTenant;
  readonly temporal: TemporalClient;
  readonly storage: Storage;
}

/**
 * Deletes a tenant: executions, rows, objects, and then its own row. Each step can be repeated, so a deletion that was
 * killed is finished by the next. Returns what all of them deleted.
 *
 * @param tenant.isGone its own row was deleted by an earlier call
 */
export async function deleteTenant(
  deps: DeletionDeps,
  { id, slug, isGone }: TenantRef & { readonly isGone: boolean },
): Promise<Erased> {
  const { owner, temporal, storage } = deps;
  await beginDeletion(owner, { id, slug });
  if (!isGone) {
    await deps.withTenant(id, disableTenant);
    await recordErased(owner, id, { executions: await terminateExecutions(temporal, id) });
    await eraseRows(owner, id);
    await recordErased(owner, id, { objects: await removeObjects(storage, id) });
    await untilRequestsEnded(owner, id);
    await eraseRest(deps, id);
  }
  // What a request, a dispatcher or a worker had begun while the rows were there.
  await recordErased(owner, id, {
    executions: await terminateExecutions(temporal, id),
    objects: await removeObjects(storage, id),
  });
  await assertNothingLeft(deps, id);
  return recordErased(owner, id, { isComplete: true });
}

async function untilRequestsEnded(owner: Knex, id: string): Promise<void> {
  const { rows } = await owner.raw<{ rows: { ms: number }[] }>(
    'select extract(epoch from clock_timestamp() - disabled_at)::float8 * 1000 as ms from tenants where id = ?',
    [id],
  );
  await sleep(Math.max(0, REQUESTS_END_MS - (rows[0]?.ms ?? 0)));
}

/** Deletes rows that were written meanwhile, and then the tenant's own, after which there can be none. */
async function eraseRest({ owner, temporal }: DeletionDeps, id: string): Promise<void> {
  for (let pass = 1; pass <= MAX_PASSES; pass += 1) {
    await recordErased(owner, id, { executions: await terminateExecutions(temporal, id) });
    await eraseRows(owner, id);
    if (await eraseTenant(owner, id)) return;
  }
  throw new CommandError(`Se siguen escribiendo filas de este negocio: ${listed(await countTenantRows(owner, id))}`);
}

async function assertNothingLeft({ owner, temporal, storage }: DeletionDeps, id: string): Promise<void> {
  const rows = await countTenantRows(owner, id);
  if (rows.size > 0) throw new CommandError(`Quedan filas: ${listed(rows)}`);
  const objects = await countObjects(storage, id);
  if (objects > 0) throw new CommandError(`Quedan ${objects} archivos; repita la orden.`);
  const running = await countRunning(temporal, id);
  if (running > 0) throw new CommandError(`Quedan ${running} ejecuciones en curso; repita la orden.`);
}

const listed = (counts: ReadonlyMap<string, number>): string =>
  [...counts].map(([table, count]) => `${table} ${count}`).join(', ');
