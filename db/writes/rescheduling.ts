import { Tenant } from '../models/tenant.ts';
import { tenantOf, type TenantTransaction } from '../with-tenant.ts';

/** Which settings change still has to reach the reminders of the tenant's SENT quotes: `tenants.reschedule_event_id`. */

/** Records it, in the transaction that changes the settings. A change that was pending is superseded. */
export async function requestRescheduling(trx: TenantTransaction, eventId: string): Promise<void> {
  await Tenant.query(trx).findById(tenantOf(trx)).patch({ rescheduleEventId: eventId });
}

/** The id of the settings change that is pending; null when there is none. */
export async function pendingRescheduling(trx: TenantTransaction): Promise<string | null> {
  const { rescheduleEventId } = await Tenant.query(trx).findById(tenantOf(trx)).throwIfNotFound();
  return rescheduleEventId;
}

/** This change has reached all quotes; a later one stays pending. */
export async function finishRescheduling(trx: TenantTransaction, eventId: string): Promise<void> {
  // `updatedAt` stays: reminders are decided by the moment of the settings change.
  await Tenant.query(trx)
    .where({ id: tenantOf(trx), rescheduleEventId: eventId })
    .patch({ rescheduleEventId: null });
}
