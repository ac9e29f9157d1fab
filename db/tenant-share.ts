import type { Knex } from 'knex';
import pLimit, { type LimitFunction } from 'p-limit';
import { poolFigures } from './pool.ts';

/** How long a transaction waits for its tenant's share: as long as for a connection of the pool. Milliseconds. */
const SHARE_TIMEOUT_MS = 4_000;

/** Runs the work while it is among those of its tenant that may hold a connection; until then it waits. */
export type TenantShare = <T>(tenantId: string, work: () => Promise<T>) => Promise<T>;

const shares = new WeakMap<Knex, TenantShare>();

/**
 * The one share of a pool: each tenant holds at most half of its connections, so that another's transaction finds one
 * however many a tenant begins. Of a pool of one connection, half is that one.
 *
 * Work that waits too long is rejected like that which finds no connection, which answers 503 and retries an activity.
 */
export function tenantShareOf(knex: Knex): TenantShare {
  const known = shares.get(knex);
  if (known) return known;
  const share = createTenantShare(Math.max(1, Math.floor(poolFigures(knex).most / 2)));
  shares.set(knex, share);
  return share;
}

function createTenantShare(most: number): TenantShare {
  const limits = new Map<string, LimitFunction>();
  return (tenantId, work) => {
    const limit = limits.get(tenantId) ?? pLimit(most);
    limits.set(tenantId, limit);
    return new Promise((resolve, reject) => {
      let isLate = false;
      const timer = setTimeout(() => {
        isLate = true;
        // The words of the pool, which db/unavailable.ts knows.
        reject(new Error('Timeout acquiring a connection: the tenant holds its share of the pool'));
      }, SHARE_TIMEOUT_MS);
      void limit(async () => {
        clearTimeout(timer);
        if (!isLate) await work().then(resolve, reject);
      }).finally(() => {
        // Only tenants that hold or await a connection are kept.
        if (limit.activeCount + limit.pendingCount === 0) limits.delete(tenantId);
      });
    });
  };
}
