import type { ParsedUrlQuery } from 'node:querystring';
import type { Context } from 'koa';
import type { TSchema } from 'typebox';
import { newId } from '../db/ids.ts';
import type { Caller } from '../domain/caller.ts';
import { foreignOrigin, forbidden, invalidInput, type Refusal, ServiceError } from '../domain/errors.ts';
import { can } from '../domain/permissions.ts';
import { assertFeature } from '../domain/plans.ts';
import { authenticate, type Credentials } from './authenticate.ts';
import { cookieValues, setCookie } from './cookies.ts';
import type { Deps } from './deps.ts';
import { withinDeadline } from './deadline.ts';
import { readBody } from './read-body.ts';
import { readQuery } from './read-query.ts';
import { readUpload } from './read-upload.ts';
import { attemptOnce, keyed, keyOf, pipelinedBy, transactOnce } from './idempotency.ts';
import type { RateState } from './rate-limits.ts';
import {
  type Access,
  type Answer,
  type Attempt,
  type Input,
  MAX_BODY_BYTES,
  type Route,
  type Transact,
  type TransactPipelined,
} from './route.ts';
import { closed } from './schema.ts';
import { ignoredMembersHeader, prefersStrict, unknownMembers } from './unknown-members.ts';
import { untilClosed } from './until-closed.ts';
import { bodyCheck, type Check, queryCheck } from './validation.ts';

const UNSAFE = new Set(['POST', 'PUT', 'PATCH', 'DELETE']);

/** The way of a request: authenticate → permission → plan → input → handle → answer (decisions, section 1). */
export function endpoint(deps: Deps, route: Route, credentials: Credentials): (ctx: Context) => Promise<void> {
  const params = optional(queryCheck, route.params);
  const query = route.query && queryCheck(route.query, route.queryRefusal);
  const body = bodyReader(route);
  const namesOf = membersReader(route);

  const serve = async (ctx: Context): Promise<void> => {
    const requestId = ctx.state.requestId;
    refuseForeignOrigin(deps, ctx, route.access);
    const startedAt = performance.now();
    const caller = await withinDeadline(admit(deps, ctx, { route, credentials, requestId }));
    const spentMs = performance.now() - startedAt;
    const given = { query: readQuery(ctx.querystring, route.queryRefusal), body: await body.read(ctx) };
    refuseOrName(ctx, namesOf(given));
    const request = {
      params: params?.(ctx['params']),
      query: query?.(givenIn(given.query, route.queryEmpty)),
      body: body.check(given.body),
    };
    const handle = (once: Once) =>
      route.handle({ caller, requestId, signal: untilClosed(ctx), ...sourceOf(ctx), ...request, ...once });
    send(deps, ctx, await withinDeadline(runOnce(deps, { ctx, route, caller, request }, handle), spentMs));
  };

  return async (ctx) => {
    ctx.state.route = route.path;
    try {
      await serve(ctx);
    } catch (thrown) {
      await countRefusal(deps, ctx, thrown);
      throw thrown;
    }
  };
}

/** Answered with 401 and 403. */
const REFUSED: ReadonlySet<Refusal> = new Set(['unauthenticated', 'forbidden', 'plan_required']);

/** Counts a refused request against its address, unless a public route has counted it already. */
async function countRefusal(deps: Deps, ctx: Context, thrown: unknown): Promise<void> {
  if (!(thrown instanceof ServiceError && REFUSED.has(thrown.kind)) || ctx.state.isAddressCounted === true) return;
  const limit = await deps.rateLimits.countRefusal(ctx.ip);
  // What is left to the user, where one is known, says more to the caller.
  if (limit && !ctx.res.hasHeader('RateLimit')) setLimit(ctx, limit);
}

const setLimit = (ctx: Context, { policy, state }: RateState): void =>
  ctx.set({ 'RateLimit-Policy': policy, RateLimit: state });

/** Where a request came from, as evidence keeps it. */
export const sourceOf = (ctx: Context): { readonly ip: string; readonly userAgent: string } => ({
  ip: ctx.ip,
  userAgent: ctx.get('User-Agent').slice(0, 512),
});

/** What an effect runs in. */
type Once = Pick<Input<Access, unknown, unknown, unknown>, 'transact' | 'transactPipelined' | 'attempt'>;

/** Runs the handler; with an Idempotency-Key, so that a repeated request has no second effect. */
function runOnce(
  deps: Deps,
  { ctx, route, caller, request }: { ctx: Context; route: Route; caller: Caller | undefined; request: object },
  handle: (once: Once) => Promise<Answer>,
): Promise<Answer> {
  const key = caller && (route.idempotency ?? 'none') !== 'none' ? keyOf(givenKey(ctx)) : undefined;
  const tenantId = caller?.tenantId ?? '';
  const plain: Transact = (effect) => deps.withTenant(tenantId, effect);
  const plainPipelined: TransactPipelined = (effect) =>
    deps.withPipeline(tenantId, async (tx) => {
      const { statements, ...answer } = await effect(tx);
      await tx.sendAndCommit(statements);
      return answer;
    });
  const once = (transact: Transact, transactPipelined: TransactPipelined, attempt: Attempt = newAttempt()) =>
    handle({ transact, transactPipelined, attempt });
  if (!caller || key === undefined) return once(plain, plainPipelined);

  const own = keyed(caller, `${route.method} ${route.path}`, key, request);
  if (route.idempotency === 'attempt') return attemptOnce(deps, own, (attempt) => once(plain, plainPipelined, attempt));
  const transact = transactOnce(deps, own);
  return once(transact, pipelinedBy(transact));
}

/** Its id is made when it is asked for: of most requests nobody does, and a CUID costs more than the rest of a small one. */
function newAttempt(): Attempt {
  let id: string | undefined;
  return {
    get id() {
      return (id ??= newId());
    },
    isKeyed: false,
    isRepeated: false,
  };
}

/** As sent: Koa's `get` answers "" for a header that is not there, too. */
const givenKey = ({ headers }: Context): string | undefined => [headers['idempotency-key']].flat()[0];

interface BodyReader {
  read(ctx: Context): Promise<unknown>;
  /** What the handler gets of it. */
  readonly check: Check<unknown>;
}

/** How the route's body is read and checked: JSON, or a form with one file. One that the route does not take is dropped. */
function bodyReader({ body, upload, access, maxBodyBytes = MAX_BODY_BYTES }: Route): BodyReader {
  if (upload) return { read: (ctx) => readUpload(ctx, upload), check: (form) => form };
  const read = (ctx: Context) => readBody(ctx, maxBodyBytes);
  if (body) return { read, check: bodyCheck(body) };
  // It is read for the names of its members only, and of nobody who is not signed in.
  const readAny = (ctx: Context) =>
    access !== 'public' && UNSAFE.has(ctx.method) && ctx.request.is('json', '+json') ? read(ctx) : Promise.resolve({});
  return { read: readAny, check: () => undefined };
}

/** The members of a request that the route does not know, by their paths. */
function membersReader({ query, body, upload }: Route): (given: { query: object; body: unknown }) => readonly string[] {
  const nothing = closed({});
  return (given) => [
    ...unknownMembers(query ?? nothing, given.query),
    ...(upload ? [] : unknownMembers(body ?? nothing, given.body)),
  ];
}

/** Names in the answer what is about to be dropped, or refuses it where the caller prefers that (decisions, section 1). */
function refuseOrName(ctx: Context, unknown: readonly string[]): void {
  const isStrict = prefersStrict(ctx.get('Prefer'));
  if (isStrict) ctx.set('Preference-Applied', 'handling=strict');
  if (unknown.length === 0) return;
  if (isStrict) throw invalidInput(unknown.map((path) => ({ path, message: 'miembro desconocido' })));
  ctx.set('X-Ignored-Members', ignoredMembersHeader(unknown));
}

const optional = (compile: (schema: TSchema) => Check<unknown>, schema: TSchema | undefined) =>
  schema && compile(schema);

/** Who calls, with the permission and plan that the route asks for and within its limits; undefined on public routes. */
async function admit(
  deps: Deps,
  ctx: Context,
  { route, credentials, requestId }: { route: Route; credentials: Credentials; requestId: string },
): Promise<Caller | undefined> {
  const { access, feature, rate } = route;
  const caller =
    access === 'public' ? undefined : await authenticate(deps, { headers: ctx.headers, requestId, credentials });
  const limit = await deps.rateLimits.count(rate, { caller, ip: ctx.ip });
  if (limit) setLimit(ctx, limit);
  ctx.state.isAddressCounted = caller === undefined;
  if (!caller) return undefined;

  ctx.state.tenantId = caller.tenantId;
  if (access !== 'authenticated' && access !== 'public' && !can(caller.role, access)) throw forbidden();
  if (feature) assertFeature(caller.plan, feature);
  return caller;
}

/**
 * A browser sends our cookie with requests of other sites too, so those may change nothing. Scripts send neither
 * header and pass; a bearer key is never sent by itself, so it needs no such guard (decisions, section 4).
 */
function refuseForeignOrigin({ config, cookies }: Deps, ctx: Context, access: Access): void {
  if (!UNSAFE.has(ctx.method) || ctx.headers.authorization !== undefined) return;
  // Public unsafe routes are the ones that set the cookie: another site must not sign its visitor in.
  if (access !== 'public' && cookieValues(ctx.headers.cookie, cookies.name).length === 0) return;
  const site = ctx.get('Sec-Fetch-Site');
  if (site === 'same-origin' || site === 'none') return;
  const origin = ctx.get('Origin');
  const foreign = origin !== '' && origin !== new URL(config.PUBLIC_URL).origin;
  if (site === 'cross-site' || foreign) throw foreignOrigin();
}

function send({ cookies, config }: Deps, ctx: Context, { status, body, headers, session }: Answer): void {
  if (session === 'clear') setCookie(ctx, config, { name: cookies.name, value: null, path: '/' });
  else if (session) {
    const { token, expires } = session;
    setCookie(ctx, config, { name: cookies.name, value: token, path: '/', expires });
  }
  ctx.status = status;
  if (headers) ctx.set(headers);
  ctx.body = body;
}

/** What a query holds; a parameter without a value is as one that is absent, but for those that are named. */
const givenIn = (query: ParsedUrlQuery, kept: readonly string[] = []): ParsedUrlQuery =>
  Object.fromEntries(Object.entries(query).filter(([name, value]) => value !== '' || kept.includes(name)));
