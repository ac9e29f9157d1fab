import { type EndpointHealth, reserveSlot } from '../../domain/endpoint-breaker.ts';
import type { NamedStatement } from '../pipeline.ts';
import { Webhook } from '../models/webhook.ts';
import { tenantOf, type TenantTransaction } from '../with-tenant.ts';
import type { LockedWebhook } from './lock-delivery.ts';

/** Calls that are made at the same time: to one endpoint, and to all endpoints of one tenant. */
export const MAX_CONCURRENT_CALLS = { endpoint: 2, tenant: 8 } as const;
/** An attempt that began longer ago than its deadline and a margin died with its worker. */
const CALL_LEASE = "interval '15 seconds'";
/** Between two slots of one endpoint: the faster it responds, the sooner there is capacity. Milliseconds. */
const SLOT_GAP_MS = { min: 20, max: 200 } as const;
/** Minimum delay before a throttled delivery retries. Milliseconds. */
const THROTTLE_RETRY_MS = 250;

/** Serialises the attempts that a tenant's deliveries begin, so that those which begin together do not see the same capacity. */
export const lockTenantCalls = (tenantId: string): NamedStatement => ({
  name: 'lock-tenant-calls',
  text: 'select pg_advisory_xact_lock(hashtextextended($1, 0))',
  values: [`deliver.${tenantId}`],
});

/** A common table expression about tenant $1: the calls that are being made, but for those of delivery $2. */
export const CALLS_IN_PROGRESS = `calls as materialized (
     select (count(*) filter (where d.webhook_id = (select id from webhook)))::int as "endpointCalls",
            count(*)::int as "tenantCalls",
            coalesce(max(extract(epoch from now() - a.started_at)), 0)::float8 * 1000 as "longestCallMs"
       from webhook_attempts a
       join webhook_deliveries d on d.tenant_id = a.tenant_id and d.id = a.delivery_id
      where a.tenant_id = $1 and a.finished_at is null and a.started_at > now() - ${CALL_LEASE} and d.id <> $2
   )`;

/** What `CALLS_IN_PROGRESS` reads. */
export interface CallsInProgress {
  readonly endpointCalls: number;
  readonly tenantCalls: number;
  readonly longestCallMs: number;
}

/** Whether there is no capacity for one more call. */
export const capacityExceeded = ({ endpointCalls, tenantCalls }: CallsInProgress): boolean =>
  endpointCalls >= MAX_CONCURRENT_CALLS.endpoint || tenantCalls >= MAX_CONCURRENT_CALLS.tenant;

/** Milliseconds between the retries of deliveries that are throttled by these calls. */
export const slotGapMs = ({ longestCallMs }: CallsInProgress): number =>
  Math.min(SLOT_GAP_MS.max, Math.max(SLOT_GAP_MS.min, longestCallMs / 2));

/**
 * Reserves a slot in which a delivery that cannot be attempted now retries, and returns the milliseconds until then: not
 * before `from`, nor more than `maxWaitMs` later than now unless that is before `from`. The webhook's row is locked.
 */
export async function reserveRetrySlot(
  trx: TenantTransaction,
  webhook: LockedWebhook,
  { now, from, gapMs = SLOT_GAP_MS.max, maxWaitMs }: { now: Date; from?: Date; gapMs?: number; maxWaitMs: number },
): Promise<number> {
  const notBefore = from ?? new Date(now.getTime() + THROTTLE_RETRY_MS);
  const latest = new Date(Math.max(now.getTime() + maxWaitMs, notBefore.getTime() + gapMs));
  const { at, nextSlotAt } = reserveSlot(webhook, { from: notBefore, gapMs, latest });
  await updateHealth(trx, webhook, { nextSlotAt });
  return at.getTime() - now.getTime();
}

/** Stores what changed of an endpoint's health. */
export async function updateHealth(
  trx: TenantTransaction,
  { id }: Pick<LockedWebhook, 'id'>,
  health: Partial<EndpointHealth>,
): Promise<void> {
  if (Object.keys(health).length === 0) return;
  await Webhook.query(trx)
    .findOne({ tenantId: tenantOf(trx), id })
    .patch(health);
}
