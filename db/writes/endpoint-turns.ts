import { type EndpointHealth, takeTurn } from '../../domain/endpoint-breaker.ts';
import type { NamedStatement } from '../at-once.ts';
import { newId } from '../ids.ts';
import { Webhook } from '../models/webhook.ts';
import { tenantOf, type TenantTransaction } from '../with-tenant.ts';
import type { LockedWebhook } from './lock-delivery.ts';

/** Calls under way at the same time: to one endpoint (docs/webhooks.md#retries), and to all those of one tenant. */
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

/** Until the transaction ends no other call of the tenant can begin, so that many at once do not all find the same room. */
export const oneAtATime = (tenantId: string): NamedStatement => ({
  name: 'one-call-at-a-time',
  text: 'select pg_advisory_xact_lock(hashtextextended($1, 0))',
  values: [`deliver.${tenantId}`],
});

/** An attempt that is to begin. */
export interface NewAttempt {
  readonly webhookId: string;
  readonly deliveryId: string;
  readonly number: number;
  readonly claimToken: string;
  readonly startedAt: Date;
}

/** Writes down that it begins, if there is room for its call; to be sent after `oneAtATime`. `noRoomIn` reads the answer. */
export const beginIfRoom = (tenantId: string, attempt: NewAttempt): NamedStatement => ({
  name: 'begin-attempt',
  text: `with under_way as materialized (
       select (count(*) filter (where d.webhook_id = $2))::int as here, count(*)::int as "all",
              coalesce(max(extract(epoch from now() - a.started_at)), 0)::float8 * 1000 as age
         from webhook_attempts a
         join webhook_deliveries d on d.tenant_id = a.tenant_id and d.id = a.delivery_id
        where a.tenant_id = $1 and a.finished_at is null and a.started_at > now() - ${IN_FLIGHT} and d.id <> $3
     ), begun as (
       insert into webhook_attempts (id, tenant_id, delivery_id, number, claim_token, started_at)
       select $4, $1, $3, $5, $6, $7 from under_way
        where here < ${MOST_IN_FLIGHT.endpoint} and "all" < ${MOST_IN_FLIGHT.tenant}
       on conflict (tenant_id, delivery_id, number)
       do update set claim_token = excluded.claim_token, started_at = excluded.started_at
     )
     select here, "all", age from under_way`,
  values: [
    tenantId,
    attempt.webhookId,
    attempt.deliveryId,
    newId(),
    attempt.number,
    attempt.claimToken,
    attempt.startedAt,
  ],
});

/** Undefined when the attempt could begin; else the limit that was hit, the endpoint's before the tenant's. */
export function noRoomIn(counted: readonly unknown[] | undefined): NoRoom | undefined {
  // The columns are those of the statement above.
  const [row] = counted as { here: number; all: number; age: number }[];
  if (!row) throw new Error('counting gives one row');
  const { here, all, age } = row;
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
  webhook: LockedWebhook,
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
  { id }: Pick<LockedWebhook, 'id'>,
  health: Partial<EndpointHealth>,
): Promise<void> {
  if (Object.keys(health).length === 0) return;
  await Webhook.query(trx)
    .findOne({ tenantId: tenantOf(trx), id })
    .patch(health);
}
