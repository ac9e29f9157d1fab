import type { Client as TemporalClient } from '@temporalio/client';
import type { Storage } from '../../adapters/storage.ts';
import { terminateIdle } from '../../adapters/temporal/tenant-executions.ts';
import { removeObjects } from '../../adapters/tenant-objects.ts';
import type { DispatcherDb } from '../../db/dispatcher-db.ts';
import { disableTenant } from '../../db/writes/disable-tenant.ts';
import { eraseRegistration, expiredRegistrations } from '../../db/writes/erase-tenant.ts';
import type { WithTenant } from '../../db/with-tenant.ts';

export interface RegistrationDeps {
  readonly dispatcher: DispatcherDb;
  readonly withTenant: WithTenant;
  readonly temporal: TemporalClient;
  readonly storage: Pick<Storage, 'remove' | 'list'>;
}

/** Registrations of a batch. */
const BATCH = 20;

/**
 * Deletes a batch of registrations that were not confirmed in time, each with its executions, objects and rows. One with
 * an activity in progress is left to the next day. Each step can be repeated.
 */
export async function purgeRegistrations({
  dispatcher,
  withTenant,
  temporal,
  storage,
}: RegistrationDeps): Promise<{ readonly done: number; readonly after: string | undefined }> {
  const due = await expiredRegistrations(dispatcher, BATCH);
  let done = 0;
  for (const { id } of due) {
    await withTenant(id, disableTenant);
    const { busy } = await terminateIdle(temporal, id);
    if (busy.length > 0) continue;
    await removeObjects(storage, id);
    await eraseRegistration(dispatcher, id);
    done += 1;
  }
  return { done, after: due.length < BATCH || done === 0 ? undefined : '' };
}
