import { type EndpointHealth, takeTurn } from '../../domain/endpoint-breaker.ts';
import { Webhook } from '../models/webhook.ts';
import { tenantOf, type TenantTransaction } from '../with-tenant.ts';

/** Calls under way at the same time: to one endpoint (decisions, section 6), and to all those of one tenant. */
export const MOST_IN_FLIGHT = { endpoint: 2, tenant: 8 } as const;
/** An attempt that began longer ago than its deadline and a margin died with its worker. */
const IN_FLIGHT = "interval '15 seconds'";
/** Between two turns at one endpoint: the faster it answers, the sooner there is room. Milliseconds. */
const GAP_MS = { least: 20, most: 200 } as const;
/** Sooner nobody asks again. Milliseconds. */
const BUSY_MS = 250;

/** Whose calls under way are as many as may be, and how many milliseconds the turns must be apart. */
export interface NoRoom {
  readonly of: keyof typeof MOST_IN_FLIGHT;
  readonly gapMs: number;
}

/**
 * Undefined when a call may begin; else the limit that was hit, the endpoint's before the tenant's. Until the transaction ends no
 * other call of the tenant can begin, so that many at once do not all find the same room.
 */
export async function noRoomFor(
  trx: TenantTransaction,
  { webhookId, deliveryId }: { webhookId: string; deliveryId: string },
): Promise<NoRoom | undefined> {
  const tenantId = tenantOf(trx);
  await trx.raw('select pg_advisory_xact_lock(hashtextextended(?, 0))', [`deliver.${tenantId}`]);
  const { rows } = await trx.raw<{ rows: { here: number; all: number; age: number }[] }>(
    `select (count(*) filter (where d.webhook_id = ?))::int as here, count(*)::int as all,
            coalesce(max(extract(epoch from now() - a.started_at)), 0)::float8 * 1000 as age
       from webhook_attempts a
       join webhook_deliveries d on d.tenant_id = a.tenant_id and d.id = a.delivery_id
      where a.tenant_id = ? and a.finished_at is null and a.started_at > now() - ${IN_FLIGHT} and d.id <> ?`,
    [webhookId, tenantId, deliveryId],
  );
  const { here, all, age } = rows[0] ?? { here: 0, all: 0, age: 0 };
  if (here < MOST_IN_FLIGHT.endpoint && all < MOST_IN_FLIGHT.tenant) return undefined;
  const of = here < MOST_IN_FLIGHT.endpoint ? 'tenant' : 'endpoint';
  return { of, gapMs: Math.min(GAP_MS.most, Math.max(GAP_MS.least, age / 2)) };
}

/**
 * Gives a delivery that is due its turn to ask again, and returns the milliseconds until then: not before `from`, nor
 * more than `patienceMs` later than now unless that is before `from`. The webhook's row is locked.
 */
export async function queueForTurn(
  trx: TenantTransaction,
  webhook: Webhook,
  { now, from, gapMs = GAP_MS.most, patienceMs }: { now: Date; from?: Date; gapMs?: number; patienceMs: number },
): Promise<number> {
  const notBefore = from ?? new Date(now.getTime() + BUSY_MS);
  const latest = new Date(Math.max(now.getTime() + patienceMs, notBefore.getTime() + gapMs));
  const { at, turnAt } = takeTurn(webhook, { from: notBefore, gapMs, latest });
  await changeHealth(trx, webhook, { turnAt });
  return at.getTime() - now.getTime();
}

/** Writes down what changed of an endpoint's health. */
export async function changeHealth(
  trx: TenantTransaction,
  { id }: Webhook,
  health: Partial<EndpointHealth>,
): Promise<void> {
  if (Object.keys(health).length === 0) return;
  await Webhook.query(trx)
    .findOne({ tenantId: tenantOf(trx), id })
    .patch(health);
}
