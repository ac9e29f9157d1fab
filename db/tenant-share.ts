import type { Knex } from 'knex';
import { poolFigures } from './pool.ts';

/** How long a transaction waits for its tenant's share: as long as for a connection of the pool. Milliseconds. */
const SHARE_TIMEOUT_MS = 4_000;

/** Runs the work while it is among those of its tenant that may hold a connection; until then it waits. */
export type TenantShare = <T>(tenantId: string, work: () => Promise<T>) => Promise<T>;

const sharesOfPools = new WeakMap<Knex, TenantShare>();

/**
 * The one share of a pool: each tenant holds at most half of its connections, so that another's transaction finds one
 * however many a tenant begins. Of a pool of one connection, half is that one.
 *
 * Work that waits too long is rejected like that which finds no connection, which answers 503 and retries an activity.
 */
export function tenantShareOf(knex: Knex): TenantShare {
  const known = sharesOfPools.get(knex);
  if (known) return known;
  const share = createTenantShare(Math.max(1, Math.floor(poolFigures(knex).most / 2)));
  sharesOfPools.set(knex, share);
  return share;
}

interface Share {
  held: number;
  /** Each starts work that waits. */
  readonly waiting: (() => void)[];
}

/** Every statement passes here, and few wait: those that need not cost no timer and no queue. */
function createTenantShare(most: number): TenantShare {
  // Only tenants that hold or await a connection are kept.
  const shares = new Map<string, Share>();
  return async (tenantId, work) => {
    const share = shares.get(tenantId) ?? { held: 0, waiting: [] };
    shares.set(tenantId, share);
    if (share.held < most) share.held += 1;
    else await whenReleased(share);
    try {
      return await work();
    } finally {
      const next = share.waiting.shift();
      // The next one holds what this one held.
      if (next) next();
      else if ((share.held -= 1) === 0) shares.delete(tenantId);
    }
  };
}

const whenReleased = ({ waiting }: Share): Promise<void> =>
  new Promise((resolve, reject) => {
    const start = () => {
      clearTimeout(timer);
      resolve();
    };
    const timer = setTimeout(() => {
      waiting.splice(waiting.indexOf(start), 1);
      // The words of the pool, which db/unavailable.ts knows.
      reject(new Error('Timeout acquiring a connection: the tenant holds its share of the pool'));
    }, SHARE_TIMEOUT_MS);
    waiting.push(start);
  });
