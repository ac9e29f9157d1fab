import type { DispatcherDb } from '../dispatcher-db.ts';
import {
  BEGINNING,
  hashRange,
  microseconds,
  newestSeal,
  type Predecessor,
  type Seal,
  sealedHead,
} from '../reads/audit-chain.ts';
import { tenantOf, type TenantTransaction, type WithTenant } from '../with-tenant.ts';

/** Most entries of a seal, but for those of the very same microsecond: what is broken is then found in a short span. */
const MOST = 10_000;

/**
 * Seconds. An entry bears the time at which its transaction began and is seen only when that ends, so nothing younger
 * than the longest transaction may be sealed: one lies idle for 15 s at most, a statement takes 4 s.
 */
const MARGIN_S = 600;

/** The chain does not end where it ended: a new seal would cover up that one is missing. */
export class ChainBroken extends Error {
  override readonly name = 'ChainBroken';
}

export interface SealDeps {
  /** As the app's role, which reads entries and writes no seals. */
  readonly withTenant: WithTenant;
  /** Its role writes seals and reads no entries. */
  readonly dispatcher: DispatcherDb;
}

/**
 * Seals the next span of a business's audit log. Returns how many entries it sealed: 0 when there was nothing old
 * enough, or another process was quicker. Throws ChainBroken.
 */
export async function sealNextRange(deps: SealDeps, tenantId: string, marginS = MARGIN_S): Promise<number> {
  // Both at one moment. A seal that is made after it takes the number, and ours is not written.
  const previous = await deps.withTenant(tenantId, predecessor, { isSnapshot: true });
  // Not at one moment: what other transactions are doing is to be seen as it is.
  const seal = await deps.withTenant(tenantId, async (trx) => {
    const until = await endOfRange(trx, previous, marginS);
    if (until === undefined) return undefined;
    const hashed = await hashRange(trx, previous, until);
    const next: Seal = { ...hashed, number: previous.number + 1, until, previousHash: previous.hash };
    return next;
  });
  return seal && (await insertSeal(deps.dispatcher, tenantId, seal)) ? seal.entries : 0;
}

async function predecessor(trx: TenantTransaction): Promise<Predecessor> {
  const newest = await newestSeal(trx);
  const head = await sealedHead(trx);
  if (newest?.number !== head?.number || newest?.hash !== head?.hash) {
    throw new ChainBroken(`the audit seals of ${tenantOf(trx)} do not end where they ended`);
  }
  return newest ?? BEGINNING;
}

/**
 * Up to where nothing more can be added: the margin ago, or the beginning of the oldest transaction that is still under
 * way, whichever is earlier. Undefined when no entry lies before. A role sees the transactions of its own sessions, and
 * no other role writes entries.
 */
async function endOfRange(trx: TenantTransaction, from: Predecessor, marginS: number): Promise<string | undefined> {
  const { rows } = await trx.raw<{ rows: { first: string | null; full: string | null; settled: string }[] }>(
    `with settled as (
       select least(now() - make_interval(secs => :marginS), min(xact_start)) as at from pg_stat_activity
        where usename = current_user and datname = current_database() and pid <> pg_backend_pid()
     ), unsealed as materialized (
       select created_at from audit_logs, settled
        where tenant_id = :tenantId and created_at >= cast(:from as timestamptz) and created_at < settled.at
        order by created_at limit :most
     )
     select (select ${microseconds('min(created_at)')} from unsealed) as first,
            (select ${microseconds("(max(created_at) + interval '1 microsecond')")} from unsealed
              having count(*) = :most) as full,
            ${microseconds('settled.at')} as settled from settled`,
    { tenantId: tenantOf(trx), from: from.until, marginS, most: MOST },
  );
  const [found] = rows;
  return found?.first ? (found.full ?? found.settled) : undefined;
}

/** False when a seal of that number is there already. */
async function insertSeal(dispatcher: DispatcherDb, tenantId: string, seal: Seal): Promise<boolean> {
  return dispatcher.transaction(async (trx) => {
    const { rowCount } = await trx.raw<{ rowCount: number }>(
      `insert into audit_seals (tenant_id, number, until_at, entries, previous_hash, hash)
         values (:tenantId, :number, :until, :entries, :previousHash, :hash) on conflict do nothing`,
      { tenantId, ...seal },
    );
    if (rowCount === 0) return false;
    await trx.raw(
      `insert into audit_heads (tenant_id, number, hash) values (:tenantId, :number, :hash)
         on conflict (tenant_id) do update set number = excluded.number, hash = excluded.hash`,
      { tenantId, number: seal.number, hash: seal.hash },
    );
    return true;
  });
}
