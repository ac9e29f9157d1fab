import { createHash } from 'node:crypto';
import { newId } from '../db/ids.ts';
import { IdempotencyKey } from '../db/models/idempotency-key.ts';
import { databaseTime } from '../db/reads/database-time.ts';
import { send, senderOf } from '../db/pipeline.ts';
import type { TenantTransaction } from '../db/with-tenant.ts';
import type { Caller } from '../domain/caller.ts';
import { invalidInput, keyReused, requestInProgress, ServiceError } from '../domain/errors.ts';
import type { Deps } from './deps.ts';
import type { Answer, Attempt, Transact, TransactPipelined } from './route.ts';

/** Idempotency-Key (decisions, section 1; IETF draft-ietf-httpapi-idempotency-key-header). Only 2xx is kept. */

const KEPT_MS = 24 * 60 * 60 * 1000;
/**
 * After this long a running attempt is taken over by a repeated request, under the same attempt id: its own request
 * ended after 10 s (`deadline.ts`), so its process died.
 */
const TAKEOVER_MS = 15_000;
const KEY = /^[\x21-\x7e]{1,255}$/;

type Parts = Pick<Deps, 'withTenant' | 'secrets'>;

/** A request that carries a key: whose, for which route, and what it asks. */
export interface Keyed {
  readonly tenantId: string;
  readonly scope: string;
  readonly fingerprint: string;
}

/**
 * The header's key, in the draft's quotes or bare; undefined when there is none. Throws a 400 on one that is none: who
 * sends an empty key takes the request for protected.
 */
export function keyOf(header: string | undefined): string | undefined {
  if (header === undefined) return undefined;
  const key = /^"(.*)"$/.exec(header)?.[1] ?? header;
  if (!KEY.test(key))
    throw invalidInput([{ path: 'Idempotency-Key', message: 'debe tener de 1 a 255 caracteres visibles' }]);
  return key;
}

export function keyed(caller: Caller, route: string, key: string, request: object): Keyed {
  const actor = caller.credential.kind === 'key' ? `key:${caller.credential.id}` : `user:${caller.userId}`;
  return {
    tenantId: caller.tenantId,
    scope: sha256([actor, route, key]),
    fingerprint: sha256(request),
  };
}

const sha256 = (value: unknown): string => createHash('sha256').update(JSON.stringify(value)).digest('hex');

/** `transact` for a request with a key: the effect and its stored answer commit together, or the stored one is given. */
export const transactOnce =
  (parts: Parts, request: Keyed): Transact =>
  (effect) =>
    parts.withTenant(request.tenantId, async (trx) => {
      const stored = await claim(trx, request);
      if (stored?.answerSealed) return replayed(parts, request, stored.answerSealed);
      if (stored) throw requestInProgress();
      const answer = await effect(trx);
      await insert(trx, request, { attemptId: newId(), answerSealed: seal(parts, request, answer) });
      return answer;
    });

/** `transactPipelined` for a request with a key, by the same transaction as `transact`. */
export const pipelinedBy =
  (transact: Transact): TransactPipelined =>
  (effect) =>
    transact(async (trx) => {
      const { statements, ...answer } = await effect(senderOf(trx));
      await send(trx, statements);
      return answer;
    });

/** For work outside the database: a running row is committed first, and completed or removed when the work ended. */
export async function attemptOnce(
  parts: Parts,
  request: Keyed,
  work: (attempt: Attempt) => Promise<Answer>,
): Promise<Answer> {
  const begun = await parts.withTenant(request.tenantId, (trx) => begin(trx, request));
  if (begun.answerSealed) return replayed(parts, request, begun.answerSealed);
  let answer;
  try {
    answer = await work(begun.attempt);
  } catch (error) {
    const isPending = error instanceof ServiceError && error.kind === 'share_pending';
    const isUnknown = begun.attempt.isRepeated && !(error instanceof ServiceError);
    if (isPending || isUnknown) {
      // It may still end well: a repeated request asks for this attempt's outcome at once.
      await parts.withTenant(request.tenantId, async (trx) => {
        const now = await databaseTime(trx);
        await find(trx, request).patch({ startedAt: new Date(now.getTime() - TAKEOVER_MS) });
      });
    } else {
      await parts.withTenant(request.tenantId, (trx) => remove(trx, request));
    }
    throw error;
  }
  // The work is done: when this fails the running row stays, and a repeated request asks for the same attempt.
  const answerSealed = seal(parts, request, answer);
  await parts.withTenant(request.tenantId, (trx) => find(trx, request).patch({ answerSealed }));
  return answer;
}

async function begin(
  trx: TenantTransaction,
  request: Keyed,
): Promise<{ attempt: Attempt; answerSealed: string | null }> {
  const stored = await claim(trx, request);
  if (!stored) {
    const attemptId = newId();
    await insert(trx, request, { attemptId, answerSealed: null });
    return { attempt: { id: attemptId, isKeyed: true, isRepeated: false }, answerSealed: null };
  }
  const attempt = { id: stored.attemptId, isKeyed: true, isRepeated: true };
  if (stored.answerSealed) return { attempt, answerSealed: stored.answerSealed };
  // PostgreSQL's clock on both sides: with 5 s between deadline and takeover, clocks of two processes must not matter.
  const now = await databaseTime(trx);
  if (stored.startedAt.getTime() > now.getTime() - TAKEOVER_MS) throw requestInProgress();
  await find(trx, request).patch({ startedAt: now });
  return { attempt, answerSealed: null };
}

/** Takes the key's lock, or throws a 409 when another request holds it, and returns its live row. */
async function claim(trx: TenantTransaction, request: Keyed): Promise<IdempotencyKey | undefined> {
  const { rows } = await trx.raw<{ rows: { locked: boolean }[] }>(
    'select pg_try_advisory_xact_lock(hashtextextended(?, 0)) as locked',
    [`idempotency ${request.tenantId} ${request.scope}`],
  );
  if (!rows[0]?.locked) throw requestInProgress();
  const stored = await find(trx, request);
  if (stored && stored.createdAt.getTime() < Date.now() - KEPT_MS) {
    await remove(trx, request);
    return undefined;
  }
  if (stored && stored.fingerprint !== request.fingerprint) throw keyReused();
  return stored;
}

const find = (trx: TenantTransaction, { tenantId, scope }: Keyed) =>
  IdempotencyKey.query(trx).findOne({ tenantId, scope });

const insert = (trx: TenantTransaction, request: Keyed, row: { attemptId: string; answerSealed: string | null }) =>
  IdempotencyKey.query(trx).insert({ ...request, ...row });

const remove = (trx: TenantTransaction, { tenantId, scope }: Keyed) =>
  IdempotencyKey.query(trx).delete().where({ tenantId, scope });

const placeOf = (scope: string) => ({ purpose: 'idempotent_answer', rowId: scope }) as const;

// Answers hold public tokens and one-time keys, so they are not kept in the clear.
const seal = ({ secrets }: Parts, { scope }: Keyed, { status, body, headers }: Answer): string =>
  secrets.seal(JSON.stringify({ status, body, headers }), placeOf(scope));

function replayed({ secrets }: Parts, { scope }: Keyed, sealed: string): Answer {
  // Sealed by seal() above, and authenticated: it is an answer.
  const answer = JSON.parse(secrets.open(sealed, placeOf(scope))) as Answer;
  return { ...answer, headers: { ...answer.headers, 'Idempotency-Replayed': 'true' } };
}
