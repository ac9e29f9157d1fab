import { createHash, type Hash } from 'node:crypto';
import { tenantOf, type TenantTransaction } from '../with-tenant.ts';

/**
 * The chain that seals a business's audit log: each seal is a hash over the entries of a time span and over the
 * previous seal. Times are text in microseconds, as PostgreSQL stores them; a Date would truncate them to milliseconds.
 */

export interface Seal {
  readonly number: number;
  /** Exclusive; a seal begins with the `until` of the previous one. */
  readonly until: string;
  readonly entries: number;
  readonly previousHash: string;
  readonly hash: string;
}

/** What the next seal builds on: the previous seal, or the beginning. */
export type Predecessor = Pick<Seal, 'number' | 'until' | 'hash'>;

export const BEGINNING: Predecessor = { number: 0, until: '-infinity', hash: '0'.repeat(64) };

/** Independent of the server's locale and time zone, because the text is hashed. */
export const microseconds = (expression: string): string =>
  `to_char(${expression} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')`;

/** How many entries are read at a time. */
const PAGE = 1_000;
const FORMAT = 'quoting audit seal 1';

interface Entry {
  readonly id: string;
  readonly createdAt: string;
}

/**
 * The hash of a seal: SHA-256 over lines of JSON. First its place in the chain, then one line per entry with all its
 * columns, in order of time and id, then their number.
 */
export async function hashRange(
  trx: TenantTransaction,
  previous: Predecessor,
  until: string,
): Promise<Pick<Seal, 'entries' | 'hash'>> {
  const hash = createHash('sha256');
  line(hash, [FORMAT, tenantOf(trx), previous.number + 1, previous.hash, previous.until, until]);
  let entries = 0;
  let after: Entry = { id: '', createdAt: previous.until };
  for (;;) {
    const page = await entriesAfter(trx, after, until);
    for (const entry of page) line(hash, Object.values(entry));
    entries += page.length;
    const last = page.at(-1);
    if (!last || page.length < PAGE) break;
    after = last;
  }
  line(hash, [entries]);
  return { entries, hash: hash.digest('hex') };
}

const line = (hash: Hash, values: readonly unknown[]): void => void hash.update(`${JSON.stringify(values)}\n`, 'utf8');

/** In the order in which they are hashed. Ids are compared by bytes, independent of the locale. */
async function entriesAfter(trx: TenantTransaction, after: Entry, until: string): Promise<readonly Entry[]> {
  const { rows } = await trx.raw<{ rows: Entry[] }>(
    `select id, user_id, actor, action, entity, entity_id, metadata, request_id,
            ${microseconds('created_at')} as "createdAt"
       from audit_logs
      where tenant_id = :tenantId and created_at >= cast(:at as timestamptz) and created_at < cast(:until as timestamptz)
        and (created_at, id collate "C") > (cast(:at as timestamptz), :id)
      order by created_at, id collate "C" limit :limit`,
    { tenantId: tenantOf(trx), at: after.createdAt, id: after.id, until, limit: PAGE },
  );
  return rows;
}

const SEAL_COLUMNS = `number, ${microseconds('until_at')} as until, entries, previous_hash as "previousHash", hash`;

/** The seals after this number, in order. */
export async function sealsAfter(trx: TenantTransaction, number: number, limit: number): Promise<readonly Seal[]> {
  const { rows } = await trx.raw<{ rows: Seal[] }>(
    `select ${SEAL_COLUMNS} from audit_seals where tenant_id = ? and number > ? order by number limit ?`,
    [tenantOf(trx), number, limit],
  );
  return rows;
}

export async function newestSeal(trx: TenantTransaction): Promise<Seal | undefined> {
  const { rows } = await trx.raw<{ rows: Seal[] }>(
    `select ${SEAL_COLUMNS} from audit_seals where tenant_id = ? order by number desc limit 1`,
    [tenantOf(trx)],
  );
  return rows[0];
}

/** The newest seal as recorded when it was made. */
export async function sealedHead(trx: TenantTransaction): Promise<Pick<Seal, 'number' | 'hash'> | undefined> {
  const { rows } = await trx.raw<{ rows: Pick<Seal, 'number' | 'hash'>[] }>(
    'select number, hash from audit_heads where tenant_id = ?',
    [tenantOf(trx)],
  );
  return rows[0];
}
