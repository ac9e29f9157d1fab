import type { Knex } from 'knex';
import { isId } from './ids.ts';
import type { PipelinedConnection } from './pipelined.ts';
import { tenantShareOf } from './tenant-share.ts';

declare const scoped: unique symbol;

/** A transaction in which row-level security shows one tenant's rows and no others. The only door to tenant data. */
export type TenantTransaction = Knex.Transaction & { readonly [scoped]: true };

/**
 * Runs the function in a transaction of that tenant: commits what it returns, rolls back when it throws.
 *
 * @param options.isSnapshot for a reading of several statements that must fit together, such as a quote and its lines:
 *   they all see one snapshot, and concurrent writes are not blocked. Nothing can be written or locked in it.
 */
export type WithTenant = <T>(
  tenantId: string,
  fn: (trx: TenantTransaction) => PromiseLike<T>,
  options?: { readonly isSnapshot?: boolean },
) => Promise<T>;

/** Called after a commit that wrote events, so that the dispatcher need not wait for its next poll. */
export type Nudge = () => void;

interface TenantContext {
  readonly tenantId: string;
  readonly traceparent: string | null;
  wakesDispatcher: boolean;
}

/** What belongs to an open transaction; kept beside it, because Knex's transactions take no members of ours. */
const contexts = new WeakMap<Knex.Transaction, TenantContext>();

function contextOf(trx: TenantTransaction): TenantContext {
  const context = contexts.get(trx);
  if (!context) throw new Error('a transaction without a tenant');
  return context;
}

/** For statements that record an event, and for anything else that should wake the dispatcher. */
export function markEventRecorded(trx: TenantTransaction): void {
  contextOf(trx).wakesDispatcher = true;
}

/** The tenant of a transaction. */
export const tenantOf = (trx: TenantTransaction): string => contextOf(trx).tenantId;

/** Where in a trace the transaction was begun; null without traces. */
export const traceparentOf = (trx: TenantTransaction): string | null => contextOf(trx).traceparent;

/** @param traceparent asked as each transaction begins: where in a trace that is, or null */
export function createWithTenant(knex: Knex, nudge: Nudge, traceparent: () => string | null = () => null): WithTenant {
  const share = tenantShareOf(knex);
  return async (tenantId, fn, { isSnapshot = false } = {}) => {
    if (!isId(tenantId)) throw new Error('not a tenant id');
    const context: TenantContext = { tenantId, traceparent: traceparent(), wakesDispatcher: false };
    const transact = () =>
      knex.transaction(
        async (trx) => {
          contexts.set(trx, context);
          const { answered } = await setTenant(trx, tenantId);
          try {
            // The brand is given here and nowhere else.
            return await fn(trx as TenantTransaction);
          } finally {
            // When this failed, it is why the others did.
            await answered;
          }
        },
        isSnapshot ? SNAPSHOT : {},
      );
    const result = await share(tenantId, transact);
    if (context.wakesDispatcher) nudge();
    return result;
  };
}

/** Every statement of such a transaction sees the database as it was at the first. */
const SNAPSHOT = { isolationLevel: 'repeatable read', readOnly: true } as const;

/** Names the tenant, as the first statement of the transaction; the others are sent without waiting for its answer. */
async function setTenant(trx: Knex.Transaction, tenantId: string): Promise<{ readonly answered: Promise<unknown> }> {
  // Knex types its client and connections as any.
  const connection = (await trx.client.acquireConnection()) as PipelinedConnection;
  // It takes no parameters, so that no prepared statement is kept for it; the id was checked to be nothing but one.
  const answered = connection.query(`SET LOCAL app.tenant_id = '${tenantId}'`);
  answered.catch(() => undefined);
  return { answered };
}

export const OUTBOX_CHANNEL = 'outbox';

/**
 * Wakes the dispatchers after a commit: immediately, and then once for all commits within the interval. It is sent outside
 * the writing transaction: a NOTIFY inside takes a lock at commit that all writers of the database share. A nudge that is
 * lost with its process costs a poll's length, not an event.
 */
export function createNudge(knex: Knex, intervalMs = 20): Nudge {
  let isWithinInterval = false;
  let isDue = false;
  const nudge = (): void => {
    isDue = isWithinInterval;
    if (isWithinInterval) return;
    isWithinInterval = true;
    setTimeout(() => {
      isWithinInterval = false;
      if (isDue) nudge();
    }, intervalMs);
    // The dispatcher polls as well, so a failed nudge is no failure.
    knex.raw(`select pg_notify('${OUTBOX_CHANNEL}', '')`).then(undefined, () => undefined);
  };
  return nudge;
}
