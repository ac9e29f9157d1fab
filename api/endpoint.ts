import type { Context } from 'koa';
import type { Caller } from '../domain/caller.ts';
import { foreignOrigin } from '../domain/errors.ts';
import { unknownMember } from '../domain/request-refusals.ts';
import { authenticate, type Credentials, claimedCaller } from './authenticate.ts';
import { cookieValues, setCookie } from './cookies.ts';
import type { Deps } from './deps.ts';
import { requestDeadline, withinDeadline } from './deadline.ts';
import { type IfNoneMatch, ifNoneMatchOf } from './entity-tag.ts';
import { readBody } from './read-body.ts';
import { mapsOf, withMaps } from './query-maps.ts';
import { readQuery } from './read-query.ts';
import { readUpload } from './read-upload.ts';
import type { RateState } from './rate-limits.ts';
import { type Access, type HandlerResult, MAX_BODY_BYTES, type Route } from './route.ts';
import { admit, type CheckedInput, isCountedRefusal, type RunnableRoute } from './run-route.ts';
import { dropsUnknown } from './schema.ts';
import { ignoredMembersHeader, prefersStrict, unknownMembers } from './unknown-members.ts';
import { untilClosed } from './until-closed.ts';

const UNSAFE = new Set(['POST', 'PUT', 'PATCH', 'DELETE']);

/** A larger body is read only after authentication. */
const MAX_CLAIMED_BODY_BYTES = 64 * 1024;

/** Serves a route: authenticate → permission → plan → input → handle → respond, in this order. */
export function endpoint(deps: Deps, { route, check, run, runClaimed }: RunnableRoute, credentials: Credentials) {
  const maps = mapsOf(route.query);
  const readBodyOf = bodyReader(route);
  const namesOf = membersReader(route);

  const readInput = async (ctx: Context): Promise<CheckedInput> => {
    const query = withMaps(readQuery(ctx.querystring, route.queryRefusal), maps);
    const given = { params: ctx['params'], query, body: await readBodyOf(ctx) };
    reportUnknownMembers(ctx, namesOf(given));
    return check(given);
  };

  /** Authenticates, and returns the caller with the milliseconds that it took. */
  const admitted = async (ctx: Context) => {
    const startedAt = performance.now();
    const caller = await withinDeadline(authenticateAndAdmit(deps, ctx, { route, credentials }));
    return { caller, spentMs: performance.now() - startedAt };
  };

  const runAdmitted = async (ctx: Context): Promise<HandlerResult> => {
    const { caller, spentMs } = await admitted(ctx);
    const input = await readInput(ctx);
    const ifNoneMatch = route.etag && route.method === 'GET' ? ifNoneMatchOf(ctx.headers['if-none-match']) : undefined;
    const result = await run(caller, input, {
      ...sourceOf(ctx),
      requestId: ctx.state.requestId,
      get signal() {
        return untilClosed(ctx);
      },
      idempotencyKey: idempotencyKeyOf(ctx),
      ifMatch: ctx.headers['if-match'],
      deadline: requestDeadline(spentMs),
    });
    return isKnown(result, ifNoneMatch) ? unchanged(result) : result;
  };

  /**
   * Reads the input first, so that one packet to the database can confirm the caller and begin the work. The caller sees
   * the same: invalid input is refused after authentication.
   */
  const runWithClaim = async (ctx: Context, runRoute: NonNullable<typeof runClaimed>): Promise<HandlerResult> => {
    const startedAt = performance.now();
    const claimed = await withinDeadline(claimedCaller(deps, { ...toAuthenticate(ctx), credentials }));
    if (!claimed) return runAdmitted(ctx);
    const spentMs = performance.now() - startedAt;
    const input = await readInput(ctx).catch(async (refusal: unknown) => {
      await admitted(ctx);
      throw refusal;
    });
    return runRoute(claimed, input, {
      deadline: requestDeadline(spentMs),
      admitCaller: (caller) => admitCaller(deps, ctx, route, caller),
    });
  };

  const serve = async (ctx: Context): Promise<void> => {
    refuseForeignOrigin(deps, ctx, route.access);
    send(deps, ctx, runClaimed && mayClaim(ctx) ? await runWithClaim(ctx, runClaimed) : await runAdmitted(ctx));
  };

  return async (ctx: Context): Promise<void> => {
    ctx.state.route = route.path;
    try {
      await serve(ctx);
    } catch (thrown) {
      await countRefusal(deps, ctx, thrown);
      throw thrown;
    }
  };
}

/** Counts a refused request against its address, unless a public route has counted it already. */
async function countRefusal(deps: Deps, ctx: Context, thrown: unknown): Promise<void> {
  if (!isCountedRefusal(thrown) || ctx.state.isAddressCounted === true) return;
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

/** Koa's `get` cannot tell an empty header from an absent one. */
const idempotencyKeyOf = ({ headers }: Context): string | undefined => [headers['idempotency-key']].flat()[0];

/** How the route's body is read: as JSON, or as a form with one file. */
function bodyReader({
  body,
  upload,
  access,
  maxBodyBytes = MAX_BODY_BYTES,
}: Route): (ctx: Context) => Promise<unknown> {
  if (upload) return (ctx) => readUpload(ctx, upload);
  const read = (ctx: Context) => readBody(ctx, maxBodyBytes);
  if (body) return read;
  // Read only to name its unknown members, and only for authenticated callers.
  return (ctx: Context) =>
    access !== 'public' && UNSAFE.has(ctx.method) && ctx.request.is('json', '+json') ? read(ctx) : Promise.resolve({});
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

/** Whether a request can be read before its caller is confirmed. */
function mayClaim({ headers }: Context): boolean {
  const length = headers['content-length'];
  return (
    headers['idempotency-key'] === undefined &&
    headers['content-encoding'] === undefined &&
    length !== undefined &&
    Number(length) <= MAX_CLAIMED_BODY_BYTES
  );
}

const toAuthenticate = (ctx: Context) => ({
  headers: ctx.headers,
  ...sourceOf(ctx),
  requestId: ctx.state.requestId,
});

/** Returns the caller whom the route lets through; undefined on public routes. */
async function authenticateAndAdmit(
  deps: Deps,
  ctx: Context,
  { route, credentials }: { route: Route; credentials: Credentials },
): Promise<Caller | undefined> {
  const caller =
    route.access === 'public' ? undefined : await authenticate(deps, { ...toAuthenticate(ctx), credentials });
  await admitCaller(deps, ctx, route, caller);
  return caller;
}

async function admitCaller(deps: Deps, ctx: Context, route: Route, caller: Caller | undefined): Promise<void> {
  if (caller) ctx.state.tenantId = caller.tenantId;
  ctx.state.isAddressCounted = caller === undefined;
  await admit(deps, route, { caller, ip: ctx.ip, onLimit: (limit) => setLimit(ctx, limit) });
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

/** Sets the session cookie, or clears it. */
export function setSession({ cookies, config }: Deps, ctx: Context, session: HandlerResult['session']): void {
  if (session === 'clear') setCookie(ctx, config, { name: cookies.name, value: null, path: '/' });
  else if (session) {
    const { token, expires } = session;
    setCookie(ctx, config, { name: cookies.name, value: token, path: '/', expires });
  }
}

/** Responds with the result of a handler. */
export function send(deps: Deps, ctx: Context, { status, body, headers, session }: HandlerResult): void {
  setSession(deps, ctx, session);
  ctx.status = status;
  if (headers) ctx.set(headers);
  ctx.body = body;
}

/** Whether the caller has this version of the record. */
const isKnown = ({ headers }: HandlerResult, ifNoneMatch: IfNoneMatch | undefined): boolean =>
  headers?.['ETag'] !== undefined && ifNoneMatch?.(headers['ETag']) === true;

/** The headers without the body. */
const unchanged = ({ headers = {} }: HandlerResult): HandlerResult => ({ status: 304, headers, body: null });
