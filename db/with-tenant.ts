import type { Knex } from 'knex';
import { isId } from './ids.ts';
import type { TenantOptions } from './tenant-client.ts';
import { tenantShareOf } from './tenant-share.ts';

declare const scoped: unique symbol;

/** A transaction in which row-level security shows one tenant's rows and no others. The only door to tenant data. */
export type TenantTransaction = Knex.Transaction & { readonly [scoped]: true };

/**
 * Runs the function in a transaction of that tenant: commits what it returns, rolls back when it throws.
 *
 * @param options.isSnapshot for a reading of several statements that must fit together, such as a quote and its lines:
 *   they all see one moment, and whoever writes meanwhile is not held up. Nothing can be written or locked in it.
 */
export type WithTenant = <T>(
  tenantId: string,
  fn: (trx: TenantTransaction) => PromiseLike<T>,
  options?: { readonly isSnapshot?: boolean },
) => Promise<T>;

/** Called after a commit that wrote events, so that the dispatcher need not wait for its next poll. */
export type Nudge = () => void;

// Which open transactions wrote an event; a set beside them, because Knex's transactions take no members of ours.
const withEvents = new WeakSet<Knex.Transaction>();

/** For `recordEvent`, and for whatever else should wake the dispatcher. */
export const markEventRecorded = (trx: TenantTransaction): void => void withEvents.add(trx);

/** The tenant of a transaction. */
export function tenantOf(trx: TenantTransaction): string {
  const { tenantId }: { tenantId?: unknown } = trx.userParams;
  if (typeof tenantId !== 'string' || !isId(tenantId)) throw new Error('a transaction without a tenant');
  return tenantId;
}

/** Where in a trace the transaction was begun; null without traces. */
export function traceparentOf(trx: TenantTransaction): string | null {
  const { traceparent }: { traceparent?: unknown } = trx.userParams;
  return typeof traceparent === 'string' ? traceparent : null;
}

/** @param traceparent asked as each transaction begins: where in a trace that is, or null */
export function createWithTenant(knex: Knex, nudge: Nudge, traceparent: () => string | null = () => null): WithTenant {
  const share = tenantShareOf(knex);
  return async (tenantId, fn, { isSnapshot = false } = {}) => {
    if (!isId(tenantId)) throw new Error('not a tenant id');
    let recorded = false;
    const options: TenantOptions = { tenantId, isSnapshot, traceparent: traceparent() };
    const transact = () =>
      knex.transaction(async (trx) => {
        // The brand is given here and nowhere else: this transaction was begun with the tenant set.
        const value = await fn(trx as TenantTransaction);
        recorded = withEvents.has(trx);
        return value;
      }, options);
    const result = await share(tenantId, transact);
    if (recorded) nudge();
    return result;
  };
}
