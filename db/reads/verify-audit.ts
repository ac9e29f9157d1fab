import { tenantOf, type TenantTransaction } from '../with-tenant.ts';
import { BEGINNING, hashRange, type Predecessor, type Seal, sealedHead, sealsAfter } from './audit-chain.ts';

/** What is wrong with the first invalid seal. */
export type Damage =
  /** Its span has fewer entries than were sealed. */
  | 'entries_missing'
  /** Its span has more: they were inserted afterwards. */
  | 'entries_added'
  /** The number is right, but entries differ. */
  | 'entries_changed'
  /** It is missing, or differs from what its successor or the head names. */
  | 'seal_missing'
  /** The hash printed by an earlier check is not in the chain. */
  | 'head_unknown';

export interface Verdict {
  /** Entries under valid seals. */
  readonly entries: number;
  readonly seals: number;
  /** Of the newest valid seal; zeros when there is none. */
  readonly head: string;
  /** Entries after the last seal, not protected yet. */
  readonly unsealed: number;
  readonly broken?: { readonly damage: Damage; readonly number: number; readonly from: string; readonly until: string };
}

const PAGE = 100;

/**
 * Checks a business's audit log against its seals, up to the first invalid one. With a hash from an earlier check also
 * whether the chain still contains it: an attacker with full write access could forge a whole new chain.
 */
export async function verifyAudit(trx: TenantTransaction, knownHead?: string): Promise<Verdict> {
  let previous: Predecessor = BEGINNING;
  let entries = 0;
  let isKnown = knownHead === undefined || knownHead === BEGINNING.hash;
  const verdict = (broken?: Verdict['broken']) => ({
    entries,
    seals: previous.number,
    head: previous.hash,
    ...(broken && { broken }),
  });

  for (;;) {
    const page = await sealsAfter(trx, previous.number, PAGE);
    for (const seal of page) {
      const damage = await damageOf(trx, previous, seal);
      if (damage) {
        const broken = { damage, number: previous.number + 1, from: previous.until, until: seal.until };
        return { ...verdict(broken), unsealed: 0 };
      }
      entries += seal.entries;
      isKnown ||= seal.hash === knownHead;
      previous = seal;
    }
    if (page.length < PAGE) break;
  }

  const unsealed = await countAfter(trx, previous.until);
  const head = await sealedHead(trx);
  const open = { number: previous.number + 1, from: previous.until, until: 'infinity' };
  if ((head?.number ?? 0) !== previous.number || (head?.hash ?? BEGINNING.hash) !== previous.hash) {
    return { ...verdict({ damage: 'seal_missing', ...open }), unsealed };
  }
  return { ...verdict(isKnown ? undefined : { damage: 'head_unknown', ...open }), unsealed };
}

async function damageOf(trx: TenantTransaction, previous: Predecessor, seal: Seal): Promise<Damage | undefined> {
  if (seal.number !== previous.number + 1 || seal.previousHash !== previous.hash) return 'seal_missing';
  const found = await hashRange(trx, previous, seal.until);
  if (found.hash === seal.hash && found.entries === seal.entries) return undefined;
  if (found.entries < seal.entries) return 'entries_missing';
  return found.entries > seal.entries ? 'entries_added' : 'entries_changed';
}

async function countAfter(trx: TenantTransaction, from: string): Promise<number> {
  const { rows } = await trx.raw<{ rows: { n: number }[] }>(
    'select count(*)::int as n from audit_logs where tenant_id = ? and created_at >= ?::timestamptz',
    [tenantOf(trx), from],
  );
  return rows[0]?.n ?? 0;
}
