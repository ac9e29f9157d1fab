import { maxThrottleMs } from '../../domain/delivery-schedule.ts';
import { circuitOpenUntil, FAILURES_TO_OPEN, onProbe, reserveSlot } from '../../domain/endpoint-breaker.ts';
import type { DeliveryStatus } from '../../domain/http-delivery.ts';
import { hasFeature, type Plan, PLANS } from '../../domain/plans.ts';
import { newId } from '../ids.ts';
import { type NamedStatement, type PipelinedTransaction, type Sender, senderOf } from '../pipeline.ts';
import type { TenantTransaction } from '../with-tenant.ts';
import {
  endDelivery,
  LOCK_DELIVERY,
  LOCKED_COLUMNS,
  type LockedDelivery,
  type LockedRow,
  lockedRows,
  type LockedWebhook,
  updateHealth,
} from './delivery-rows.ts';

/** Temporal's timer and PostgreSQL's clock differ a little: so much too early is on time. Milliseconds. */
const ON_TIME_MS = 250;

/** Calls that are made at the same time: to one endpoint, and to all endpoints of one tenant. */
export const MAX_CONCURRENT_CALLS = { endpoint: 2, tenant: 8 } as const;
/** An attempt that began longer ago than its deadline and a margin died with its worker. */
const CALL_LEASE = "interval '15 seconds'";
/** Between two slots of one endpoint: the faster it responds, the sooner there is capacity. Milliseconds. */
const SLOT_GAP_MS = { min: 20, max: 200 } as const;
/** Minimum delay before a throttled delivery retries. Milliseconds. */
const THROTTLE_RETRY_MS = 250;

/** The attempt that begins, or why no call is made now. */
export type AttemptDecision =
  | { readonly kind: 'begin'; readonly attempt: AttemptInProgress }
  | { readonly kind: 'ended'; readonly status: DeliveryStatus; readonly before: boolean }
  | { readonly kind: 'webhook_deleted' }
  /** The endpoint, or the tenant, has as many calls as it may have. */
  | { readonly kind: 'throttled'; readonly waitMs: number }
  | CircuitOpen
  | { readonly kind: 'not_due'; readonly waitMs: number }
  /** The attempt ended while this one waited for the lock. */
  | { readonly kind: 'superseded' };

/** The endpoint failed again and again; another delivery probes it. */
export interface CircuitOpen {
  readonly kind: 'circuit_open';
  readonly webhook: LockedWebhook;
  readonly waitMs: number;
}

export interface AttemptOptions {
  readonly pausesS: readonly number[];
  readonly probeMs: number;
}

export interface AttemptInProgress {
  readonly webhook: LockedWebhook;
  readonly delivery: LockedDelivery;
  /** From 1. */
  readonly number: number;
  /** When it began, by PostgreSQL's clock. */
  readonly startedAt: Date;
  /** The fence: only the holder of the newest may record a result. */
  readonly claimToken: string;
}

/** The usual case of `beginAttempt`, in one round trip: the attempt, or undefined when anything speaks against it. */
export async function beginInOneRoundTrip(
  { tenantId, sendAndCommit }: PipelinedTransaction,
  deliveryId: string,
): Promise<AttemptInProgress | undefined> {
  const state = await tryToBegin({ tenantId, send: sendAndCommit }, deliveryId, { ignoreCircuit: false });
  return state?.attempt;
}

/**
 * Begins the next attempt before the call is made, so that one that dies is seen. Its number follows the attempts that
 * ended: one that died with its worker, or was throttled, is made again under the same number. A delivery whose webhook is
 * off, or whose tenant's plan has no webhooks, ends here: skipped, or cancelled after attempts. One that is due but
 * throttled, or whose endpoint's circuit is open, spends no attempt; the first attempt of a repetition ignores the circuit,
 * since a person asked for it.
 */
export async function beginAttempt(
  trx: TenantTransaction,
  deliveryId: string,
  { pausesS, probeMs }: AttemptOptions,
): Promise<AttemptDecision> {
  const state = await tryToBegin(senderOf(trx), deliveryId, { ignoreCircuit: false });
  if (!state) return { kind: 'webhook_deleted' };
  const { webhook, delivery, ended, now } = state;
  if (state.attempt) return { kind: 'begin', attempt: state.attempt };
  if (delivery.status !== 'PENDING') return { kind: 'ended', status: delivery.status, before: true };

  if (!webhook.isActive || !hasFeature(state.plan, 'webhooks')) {
    const status = ended === 0 ? 'SKIPPED' : 'CANCELLED';
    await endDelivery(trx, deliveryId, { status, at: now });
    return { kind: 'ended', status, before: false };
  }
  const waitMs = (delivery.dueAt?.getTime() ?? 0) - now.getTime();
  if (waitMs > ON_TIME_MS) return { kind: 'not_due', waitMs };
  const maxWaitMs = maxThrottleMs(ended, pausesS);
  const isRequested = delivery.replay > 0 && ended === 0;
  const until = isRequested ? undefined : circuitOpenUntil(webhook, now);
  if (until) {
    return {
      kind: 'circuit_open',
      webhook,
      waitMs: await reserveRetrySlot(trx, webhook, { now, from: until, maxWaitMs }),
    };
  }
  if (capacityExceeded(state.calls)) {
    const gapMs = slotGapMs(state.calls);
    return { kind: 'throttled', waitMs: await reserveRetrySlot(trx, webhook, { now, gapMs, maxWaitMs }) };
  }
  const probe = onProbe(webhook, now, probeMs);
  const probing =
    Object.keys(probe).length > 0 && (await tryToBegin(senderOf(trx), deliveryId, { ignoreCircuit: true }));
  if (!probing || !probing.attempt) return { kind: 'superseded' };
  await updateHealth(trx, webhook, probe);
  return { kind: 'begin', attempt: probing.attempt };
}

/** The delivery as it is, and the attempt if one could begin. */
interface DeliveryState {
  readonly webhook: LockedWebhook;
  readonly delivery: LockedDelivery;
  readonly now: Date;
  readonly plan: Plan;
  /** Attempts that have ended. */
  readonly ended: number;
  readonly calls: CallsInProgress;
  readonly attempt: AttemptInProgress | undefined;
}

type StateRow = LockedRow &
  CallsInProgress & { readonly now: Date; readonly plan: Plan; readonly ended: number; readonly number: number | null };

async function tryToBegin(
  { tenantId, send }: Pick<Sender, 'tenantId' | 'send'>,
  deliveryId: string,
  { ignoreCircuit }: { ignoreCircuit: boolean },
): Promise<DeliveryState | undefined> {
  const claimToken = newId();
  const [, found] = await send([
    lockTenantCalls(tenantId),
    beginStatement(tenantId, { deliveryId, claimToken, ignoreCircuit }),
  ]);
  // The columns are those of the statement below.
  const [row] = found as StateRow[];
  if (!row) return undefined;
  const { webhook, delivery } = lockedRows(row);
  const { now, plan, ended, number } = row;
  const attempt = number === null ? undefined : { webhook, delivery, number, startedAt: now, claimToken };
  return { webhook, delivery, now, plan, ended, calls: row, attempt };
}

const PLANS_WITH_WEBHOOKS = PLANS.filter((plan) => hasFeature(plan, 'webhooks'));

/**
 * Reads the delivery and inserts the attempt when nothing speaks against it. The snapshot is older than the locks: an attempt
 * that ended in between is not begun again.
 */
const beginStatement = (
  tenantId: string,
  {
    deliveryId,
    claimToken,
    ignoreCircuit,
  }: { readonly deliveryId: string; readonly claimToken: string; readonly ignoreCircuit: boolean },
): NamedStatement => ({
  name: 'begin-attempt',
  text: `with ${LOCK_DELIVERY}, ${CALLS_IN_PROGRESS}, state as materialized (
       select w.*, clock_timestamp() as now, t.plan,
              (select count(finished_at) from webhook_attempts where tenant_id = $1 and delivery_id = $2)::int as ended
         from webhook w cross join delivery join tenants t on t.id = $1
     ), begun as (
       insert into webhook_attempts (id, tenant_id, delivery_id, number, claim_token, started_at)
       select $3, $1, $2, state.ended + 1, $4, state.now from state, delivery, calls
        where delivery.status = 'PENDING' and state.is_active and state.plan = any ($5)
          and coalesce(delivery.due_at <= state.now + ${ON_TIME_MS} * interval '1 millisecond', true)
          and (state.consecutive_failures < ${FAILURES_TO_OPEN} or $6)
          and calls."endpointCalls" < ${MAX_CONCURRENT_CALLS.endpoint}
          and calls."tenantCalls" < ${MAX_CONCURRENT_CALLS.tenant}
       on conflict (tenant_id, delivery_id, number)
       do update set claim_token = excluded.claim_token, started_at = excluded.started_at
        where webhook_attempts.finished_at is null
       returning number
     )
     select ${LOCKED_COLUMNS}, w.now, w.plan, w.ended, calls."endpointCalls", calls."tenantCalls",
            calls."longestCallMs", (select number from begun) as number
       from state w, delivery d, calls`,
  values: [tenantId, deliveryId, newId(), claimToken, PLANS_WITH_WEBHOOKS, ignoreCircuit],
});

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
