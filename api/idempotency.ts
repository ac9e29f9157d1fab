import { createHash } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { newId } from '../db/ids.ts';
import { IdempotencyKey } from '../db/models/idempotency-key.ts';
import { databaseTime } from '../db/reads/database-time.ts';
import { send, senderOf } from '../db/pipeline.ts';
import type { TenantTransaction } from '../db/with-tenant.ts';
import type { Caller } from '../domain/caller.ts';
import { ServiceError, keyReused, requestInProgress } from '../domain/errors.ts';
import { idempotencyKeyInvalid } from '../domain/request-refusals.ts';
import type { Deps } from './deps.ts';
import type { HandlerResult, IdempotentCall, Transact, TransactPipelined } from './route.ts';

/** Idempotency-Key, as in the IETF's draft-ietf-httpapi-idempotency-key-header. Only 2xx responses are stored. */

const RESPONSE_RETENTION_MS = 24 * 60 * 60 * 1000;
/**
 * After this time a repeated request takes over a call that still runs, under the same id: requests end after 10 s
 * (`deadline.ts`), so the process of the first one died.
 */
const TAKEOVER_MS = 15_000;
const KEY = /^[\x21-\x7e]{1,255}$/;

type Parts = Pick<Deps, 'withTenant' | 'secrets'>;

/** A request with a key. `scope` names its caller, route and key; `fingerprint` its content. */
export interface KeyedRequest {
  readonly tenantId: string;
  readonly scope: string;
  readonly fingerprint: string;
}

/**
 * The key of the header, quoted as in the draft or bare; undefined without a header. An invalid key, even an empty one,
 * is a 400, because its sender believes that the request is protected.
 */
export function keyOf(header: string | undefined): string | undefined {
  if (header === undefined) return undefined;
  const key = /^"(.*)"$/.exec(header)?.[1] ?? header;
  if (!KEY.test(key)) throw idempotencyKeyInvalid();
  return key;
}

export function keyedRequest(caller: Caller, route: string, key: string, request: object): KeyedRequest {
  const actor = caller.credential.kind === 'key' ? `key:${caller.credential.id}` : `user:${caller.userId}`;
  return {
    tenantId: caller.tenantId,
    scope: sha256([actor, route, key]),
    fingerprint: sha256(withDigests(withoutEmptyBody(request))),
  };
}

/** An empty body is none: a route without a body may get an optional one. */
const withoutEmptyBody = (request: object): object =>
  Object.fromEntries(
    Object.entries(request).filter(([name, value]) => name !== 'body' || !isDeepStrictEqual(value, {})),
  );

/** The request with the digest of an uploaded file in place of its bytes, which as JSON are four times as many. */
const withDigests = (request: object): object =>
  Object.fromEntries(
    Object.entries(request).map(([name, value]: [string, unknown]) => {
      if (Buffer.isBuffer(value)) return [name, createHash('sha256').update(value).digest('hex')];
      return [name, name === 'body' && value instanceof Object && !Array.isArray(value) ? withDigests(value) : value];
    }),
  );

const sha256 = (value: unknown): string => createHash('sha256').update(JSON.stringify(value)).digest('hex');

/** `transact` for a request with a key: commits the effect with its stored response, or returns the stored response. */
export const transactOnce =
  (parts: Parts, request: KeyedRequest): Transact =>
  <Result extends HandlerResult>(effect: (trx: TenantTransaction) => Promise<Result>) =>
    parts.withTenant(request.tenantId, async (trx): Promise<Result> => {
      const stored = await claim(trx, request);
      // The scope names the route, so the stored result is one of the same effect.
      if (stored?.answerSealed) return storedResult(parts, request, stored.answerSealed) as Result;
      if (stored) throw requestInProgress();
      const result = await effect(trx);
      await insert(trx, request, { attemptId: newId(), answerSealed: seal(parts, request, result) });
      return result;
    });

/** `transactPipelined` for a request with a key, in the same transaction as `transact`. */
export const pipelinedBy =
  (transact: Transact): TransactPipelined =>
  (effect) =>
    transact(async (trx) => {
      const { statements, ...result } = await effect(senderOf(trx));
      await send(trx, statements);
      // The result is what the effect returned, without its statements.
      return result as Awaited<ReturnType<typeof effect>>;
    });

/** For work outside the database: commits a row before the work, then stores the response in it or removes it. */
export async function runExternalOnce(
  parts: Parts,
  request: KeyedRequest,
  work: (call: IdempotentCall) => Promise<HandlerResult>,
): Promise<HandlerResult> {
  const started = await parts.withTenant(request.tenantId, (trx) => startCall(trx, request));
  if (started.answerSealed) return storedResult(parts, request, started.answerSealed);
  let result;
  try {
    result = await work(started.call);
  } catch (error) {
    const isPending = error instanceof ServiceError && error.kind === 'share_pending';
    const isUnknown = started.call.isRepeated && !(error instanceof ServiceError);
    if (isPending || isUnknown) {
      // The work may still succeed.
      await letTakeOver(parts, request);
    } else {
      await parts.withTenant(request.tenantId, (trx) => remove(trx, request));
    }
    throw error;
  }
  if (result.isUnstored === true) {
    await letTakeOver(parts, request);
    return result;
  }
  // If this write fails, the row stays without a response, and a repeated request continues the same call.
  const answerSealed = seal(parts, request, result);
  await parts.withTenant(request.tenantId, (trx) => find(trx, request).patch({ answerSealed }));
  return result;
}

/** Lets a repeated request run without waiting. */
const letTakeOver = (parts: Parts, request: KeyedRequest): Promise<void> =>
  parts.withTenant(request.tenantId, async (trx) => {
    const now = await databaseTime(trx);
    await find(trx, request).patch({ startedAt: new Date(now.getTime() - TAKEOVER_MS) });
  });

async function startCall(
  trx: TenantTransaction,
  request: KeyedRequest,
): Promise<{ call: IdempotentCall; answerSealed: string | null }> {
  const stored = await claim(trx, request);
  const join: IdempotentCall['join'] = async (within, attemptId) => {
    await find(within, request).patch({ attemptId });
  };
  if (!stored) {
    const id = newId();
    await insert(trx, request, { attemptId: id, answerSealed: null });
    return { call: { id, isRepeated: false, join }, answerSealed: null };
  }
  const call = { id: stored.attemptId, isRepeated: true, join };
  if (stored.answerSealed) return { call, answerSealed: stored.answerSealed };
  // PostgreSQL's clock for both times: clocks of two processes may differ by more than the 5 s between deadline and
  // takeover.
  const now = await databaseTime(trx);
  if (stored.startedAt.getTime() > now.getTime() - TAKEOVER_MS) throw requestInProgress();
  await find(trx, request).patch({ startedAt: now });
  return { call, answerSealed: null };
}

/** Locks the key until the transaction ends and returns its row; throws a 409 while another request has the lock. */
async function claim(trx: TenantTransaction, request: KeyedRequest): Promise<IdempotencyKey | undefined> {
  const { rows } = await trx.raw<{ rows: { locked: boolean }[] }>(
    'select pg_try_advisory_xact_lock(hashtextextended(?, 0)) as locked',
    [`idempotency ${request.tenantId} ${request.scope}`],
  );
  if (!rows[0]?.locked) throw requestInProgress();
  const stored = await find(trx, request);
  if (stored && stored.createdAt.getTime() < Date.now() - RESPONSE_RETENTION_MS) {
    await remove(trx, request);
    return undefined;
  }
  if (stored && stored.fingerprint !== request.fingerprint) throw keyReused();
  return stored;
}

const find = (trx: TenantTransaction, { tenantId, scope }: KeyedRequest) =>
  IdempotencyKey.query(trx).findOne({ tenantId, scope });

const insert = (
  trx: TenantTransaction,
  request: KeyedRequest,
  row: { attemptId: string; answerSealed: string | null },
) => IdempotencyKey.query(trx).insert({ ...request, ...row });

const remove = (trx: TenantTransaction, { tenantId, scope }: KeyedRequest) =>
  IdempotencyKey.query(trx).delete().where({ tenantId, scope });

const placeOf = (scope: string) => ({ purpose: 'idempotent_answer', rowId: scope }) as const;

// Responses contain public tokens and one-time keys, so they are encrypted.
const seal = ({ secrets }: Parts, { scope }: KeyedRequest, { status, body, headers }: HandlerResult): string =>
  secrets.seal(JSON.stringify({ status, body, headers }), placeOf(scope));

function storedResult({ secrets }: Parts, { scope }: KeyedRequest, sealed: string): HandlerResult {
  // Written by seal() and authenticated when it is opened.
  const result = JSON.parse(secrets.open(sealed, placeOf(scope))) as HandlerResult;
  return { ...result, headers: { ...result.headers, 'Idempotency-Replayed': 'true' } };
}
