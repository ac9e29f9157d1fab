import type { Context } from 'koa';
import type { TSchema } from 'typebox';
import { newId } from '../db/ids.ts';
import type { Caller, Credential } from '../domain/caller.ts';
import { ServiceError, forbidden, foreignOrigin, scopeRequired } from '../domain/errors.ts';
import type { Refusal } from '../domain/refusal-reasons.ts';
import { unknownMember } from '../domain/request-refusals.ts';
import { assertVerified } from '../domain/verified.ts';
import { can } from '../domain/permissions.ts';
import { assertFeature } from '../domain/plans.ts';
import { authenticate, type Credentials } from './authenticate.ts';
import { cookieValues, setCookie } from './cookies.ts';
import type { Deps } from './deps.ts';
import { withinDeadline } from './deadline.ts';
import { type IfNoneMatch, ifMatchOf, ifNoneMatchOf } from './entity-tag.ts';
import { readBody } from './read-body.ts';
import { mapsOf, withMaps } from './query-maps.ts';
import { readQuery } from './read-query.ts';
import { readUpload } from './read-upload.ts';
import { keyedRequest, keyOf, pipelinedBy, runExternalOnce, transactOnce } from './idempotency.ts';
import type { RateState } from './rate-limits.ts';
import {
  type Access,
  type HandlerResult,
  type IdempotentCall,
  type InTenant,
  type Input,
  MAX_BODY_BYTES,
  type Route,
  type Transact,
  type TransactPipelined,
} from './route.ts';
import { dropsUnknown } from './schema.ts';
import { ignoredMembersHeader, prefersStrict, unknownMembers } from './unknown-members.ts';
import { untilClosed } from './until-closed.ts';
import { bodyCheck, type Check, queryCheck } from './validation.ts';

const UNSAFE = new Set(['POST', 'PUT', 'PATCH', 'DELETE']);

/** Serves a route: authenticate → permission → plan → input → handle → respond, in this order. */
export function endpoint(deps: Deps, route: Route, credentials: Credentials): (ctx: Context) => Promise<void> {
  const params = optional(queryCheck, route.params);
  const query = route.query && queryCheck(route.query, route.queryRefusal);
  const maps = mapsOf(route.query);
  const body = bodyReader(route);
  const namesOf = membersReader(route);

  const serve = async (ctx: Context): Promise<void> => {
    const requestId = ctx.state.requestId;
    refuseForeignOrigin(deps, ctx, route.access);
    const startedAt = performance.now();
    const caller = await withinDeadline(admit(deps, ctx, { route, credentials, requestId }));
    const spentMs = performance.now() - startedAt;
    const given = { query: withMaps(readQuery(ctx.querystring, route.queryRefusal), maps), body: await body.read(ctx) };
    reportUnknownMembers(ctx, namesOf(given));
    const request = {
      params: params?.(ctx['params']),
      query: query?.(withoutEmpty(given.query)),
      body: body.check(given.body),
    };
    const ifMatch = route.etag === 'checked' ? ifMatchOf(ctx.headers['if-match']) : undefined;
    const ifNoneMatch = route.etag && route.method === 'GET' ? ifNoneMatchOf(ctx.headers['if-none-match']) : undefined;
    const inTenant: InTenant = async (work, options) => ({
      status: 200,
      body: await deps.withTenant(caller?.tenantId ?? '', work, options),
    });
    const source = { ...sourceOf(ctx), signal: untilClosed(ctx) };
    const handle = (once: Once) =>
      route.handle({ caller, requestId, inTenant, ifMatch, ...source, ...request, ...once });
    const result = await withinDeadline(runOnce(deps, { ctx, route, caller, request }, handle), spentMs);
    if (isKnown(result, ifNoneMatch)) sendUnchanged(ctx, result);
    else send(deps, ctx, result);
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

/** Refusals with 401 or 403. */
const COUNTED_REFUSALS: ReadonlySet<Refusal> = new Set([
  'unauthenticated',
  'two_factor_required',
  'forbidden',
  'scope_required',
  'email_unverified',
  'registration_closed',
  'plan_required',
]);

/** Counts a refused request against its address, unless a public route has counted it already. */
async function countRefusal(deps: Deps, ctx: Context, thrown: unknown): Promise<void> {
  if (!(thrown instanceof ServiceError && COUNTED_REFUSALS.has(thrown.kind)) || ctx.state.isAddressCounted === true)
    return;
  const limit = await deps.rateLimits.countRefusal(ctx.ip);
  // A limit of the user, if one is set already, tells the caller more.
  if (limit && !ctx.res.hasHeader('RateLimit')) setLimit(ctx, limit);
}

const setLimit = (ctx: Context, { policy, state }: RateState): void =>
  ctx.set({ 'RateLimit-Policy': policy, RateLimit: state });

/** Where a request came from, as stored in the evidence of a signature. */
export const sourceOf = (ctx: Context): { readonly ip: string; readonly userAgent: string } => ({
  ip: ctx.ip,
  userAgent: ctx.get('User-Agent').slice(0, 512),
});

/** What an effect runs in. */
type Once = Pick<Input<Access, unknown, unknown, unknown>, 'transact' | 'transactPipelined' | 'call'>;

/** Runs the handler. With an Idempotency-Key a repeated request has no second effect. */
function runOnce(
  deps: Deps,
  { ctx, route, caller, request }: { ctx: Context; route: Route; caller: Caller | undefined; request: object },
  handle: (once: Once) => Promise<HandlerResult>,
): Promise<HandlerResult> {
  const key = caller && (route.idempotency ?? 'none') !== 'none' ? keyOf(idempotencyKeyOf(ctx)) : undefined;
  const tenantId = caller?.tenantId ?? '';
  const plain: Transact = (effect) => deps.withTenant(tenantId, effect);
  const plainPipelined: TransactPipelined = (effect) =>
    deps.withPipeline(tenantId, async (tx) => {
      const { statements, ...result } = await effect(tx);
      await tx.sendAndCommit(statements);
      // The result is what the effect returned, without its statements.
      return result as Awaited<ReturnType<typeof effect>>;
    });
  const once = (transact: Transact, transactPipelined: TransactPipelined, call: IdempotentCall = newCall()) =>
    handle({ transact, transactPipelined, call });
  if (!caller || key === undefined) return once(plain, plainPipelined);

  const own = keyedRequest(caller, `${route.method} ${route.path}`, key, request);
  if (route.idempotency === 'external') return runExternalOnce(deps, own, (call) => once(plain, plainPipelined, call));
  const transact = transactOnce(deps, own);
  return once(transact, pipelinedBy(transact));
}

/** The id is lazy: most requests never read it, and generating a CUID costs more than the rest of a small request. */
function newCall(): IdempotentCall {
  let id: string | undefined;
  return {
    get id() {
      return (id ??= newId());
    },
    isRepeated: false,
    join: () => Promise.resolve(),
  };
}

/** Koa's `get` cannot tell an empty header from an absent one. */
const idempotencyKeyOf = ({ headers }: Context): string | undefined => [headers['idempotency-key']].flat()[0];

interface BodyReader {
  read(ctx: Context): Promise<unknown>;
  /** Returns what the handler gets. */
  readonly check: Check<unknown>;
}

/** How the route's body is read and checked: as JSON, or as a form with one file. A route without `body` gets none. */
function bodyReader({ body, upload, access, maxBodyBytes = MAX_BODY_BYTES }: Route): BodyReader {
  if (upload) return { read: (ctx) => readUpload(ctx, upload), check: (form) => form };
  const read = (ctx: Context) => readBody(ctx, maxBodyBytes);
  if (body) return { read, check: bodyCheck(body) };
  // Read only to name its unknown members, and only for authenticated callers.
  const readAny = (ctx: Context) =>
    access !== 'public' && UNSAFE.has(ctx.method) && ctx.request.is('json', '+json') ? read(ctx) : Promise.resolve({});
  return { read: readAny, check: () => undefined };
}

/** The paths of members that the route does not declare. */
function membersReader({ query, body, upload }: Route): (given: { query: object; body: unknown }) => readonly string[] {
  const nothing = dropsUnknown({});
  return (given) => [
    ...unknownMembers(query ?? nothing, given.query),
    ...(upload ? [] : unknownMembers(body ?? nothing, given.body)),
  ];
}

/**
 * Lists unknown members in a response header, or refuses the request when the caller sent `Prefer: handling=strict`.
 */
function reportUnknownMembers(ctx: Context, unknown: readonly string[]): void {
  const isStrict = prefersStrict(ctx.get('Prefer'));
  if (isStrict) ctx.set('Preference-Applied', 'handling=strict');
  if (unknown.length === 0) return;
  if (isStrict) throw unknownMember(unknown);
  ctx.set('X-Ignored-Members', ignoredMembersHeader(unknown));
}

const optional = (compile: (schema: TSchema) => Check<unknown>, schema: TSchema | undefined) =>
  schema && compile(schema);

/** Checks rate limits, permission and plan, and returns the caller; undefined on public routes. */
async function admit(
  deps: Deps,
  ctx: Context,
  { route, credentials, requestId }: { route: Route; credentials: Credentials; requestId: string },
): Promise<Caller | undefined> {
  const { access, feature, rate = 'default' } = route;
  const caller =
    access === 'public'
      ? undefined
      : await authenticate(deps, { headers: ctx.headers, ...sourceOf(ctx), requestId, credentials });
  const limit = await deps.rateLimits.count(rate, { caller, ip: ctx.ip });
  if (limit) setLimit(ctx, limit);
  ctx.state.isAddressCounted = caller === undefined;
  if (!caller) return undefined;

  ctx.state.tenantId = caller.tenantId;
  if (!isWithinScope(route, caller.credential)) throw scopeRequired();
  if (access !== 'authenticated' && access !== 'public' && !can(caller.role, access)) throw forbidden();
  if (feature) assertFeature(caller.plan, feature);
  if (route.needsVerifiedEmail) assertVerified(caller);
  return caller;
}

/** Whether the credential permits the route: a key that only reads must not change anything or get further access. */
function isWithinScope({ method, keys }: Route, credential: Credential): boolean {
  if (credential.kind === 'session') return true;
  return keys !== 'none' && (credential.scope === 'full' || (method === 'GET' && keys === undefined));
}

/**
 * Guards against CSRF: a browser sends the session cookie with requests of other sites too. Programs send neither
 * header and pass. A bearer key is never sent automatically, so it needs no guard.
 */
function refuseForeignOrigin({ config, cookies }: Deps, ctx: Context, access: Access): void {
  if (!UNSAFE.has(ctx.method) || ctx.headers.authorization !== undefined) return;
  // Public unsafe routes set the cookie: another site must not sign its visitor in (login CSRF).
  if (access !== 'public' && cookieValues(ctx.headers.cookie, cookies.name).length === 0) return;
  const site = ctx.get('Sec-Fetch-Site');
  if (site === 'same-origin' || site === 'none') return;
  const origin = ctx.get('Origin');
  const foreign = origin !== '' && origin !== new URL(config.PUBLIC_URL).origin;
  if (site === 'cross-site' || foreign) throw foreignOrigin();
}

function send({ cookies, config }: Deps, ctx: Context, { status, body, headers, session }: HandlerResult): void {
  if (session === 'clear') setCookie(ctx, config, { name: cookies.name, value: null, path: '/' });
  else if (session) {
    const { token, expires } = session;
    setCookie(ctx, config, { name: cookies.name, value: token, path: '/', expires });
  }
  ctx.status = status;
  if (headers) ctx.set(headers);
  ctx.body = body;
}

/** Whether the caller has this version of the record. */
const isKnown = ({ headers }: HandlerResult, ifNoneMatch: IfNoneMatch | undefined): boolean =>
  headers?.['ETag'] !== undefined && ifNoneMatch?.(headers['ETag']) === true;

/** Responds with 304 and the headers, without the body. */
function sendUnchanged(ctx: Context, { headers = {} }: HandlerResult): void {
  ctx.status = 304;
  ctx.set(headers);
  ctx.body = null;
}

/** Drops parameters without a value: they count as absent. */
const withoutEmpty = (query: object): object =>
  Object.fromEntries(Object.entries(query).filter(([, value]) => value !== ''));
