import { newId } from '../db/ids.ts';
import type { Caller, Credential } from '../domain/caller.ts';
import { ServiceError, forbidden, scopeRequired } from '../domain/errors.ts';
import { can } from '../domain/permissions.ts';
import { assertFeature } from '../domain/plans.ts';
import type { Refusal } from '../domain/refusal-reasons.ts';
import { assertVerified } from '../domain/verified.ts';
import type { ClaimedCaller } from './authenticate.ts';
import { withinDeadline } from './deadline.ts';
import type { Deps } from './deps.ts';
import { ifMatchOf } from './entity-tag.ts';
import { keyedRequest, keyOf, pipelinedBy, runExternalOnce, transactOnce } from './idempotency.ts';
import type { RateState } from './rate-limits.ts';
import type {
  Access,
  HandlerResult,
  IdempotentCall,
  InTenant,
  Input,
  Route,
  Transact,
  TransactPipelined,
} from './route.ts';
import { bodyCheck, type Check, queryCheck } from './validation.ts';

/** Runs declared routes, for the HTTP endpoint and for the pages of the console, which call them in process. */

/** Who sent a request, and how long it may take. */
export interface RequestContext {
  readonly requestId: string;
  readonly ip: string;
  readonly userAgent: string;
  /** Aborted after the response or when the caller disconnects. */
  readonly signal: AbortSignal;
  /** Values of the headers with these names. */
  readonly idempotencyKey: string | undefined;
  readonly ifMatch: string | undefined;
  /** When the response becomes `deadline_exceeded`, in epoch milliseconds. */
  readonly deadline: number;
}

/** What a caller sent, unchecked. */
export interface GivenInput {
  readonly params: unknown;
  readonly query: object;
  readonly body: unknown;
}

/** The same after the checks of the route's schemas. */
export interface CheckedInput {
  readonly params: unknown;
  readonly query: unknown;
  readonly body: unknown;
}

/** A declared route with its compiled schemas. */
export interface RunnableRoute {
  readonly route: Route;
  /** Throws a 400 unless the input has the shape that the route declares. */
  readonly check: (given: GivenInput) => CheckedInput;
  /** Runs the handler for a caller whom `admit` let through; undefined on public routes. */
  readonly run: (caller: Caller | undefined, input: CheckedInput, context: RequestContext) => Promise<HandlerResult>;
  /** Runs a pipelined route for a caller whom its own transaction confirms; only without an Idempotency-Key. */
  readonly runClaimed:
    | ((claimed: ClaimedCaller, input: CheckedInput, context: ClaimContext) => Promise<HandlerResult>)
    | undefined;
}

export interface ClaimContext extends Pick<RequestContext, 'deadline'> {
  /** Throws the refusal of a confirmed caller. */
  readonly admitCaller: (caller: Caller) => Promise<void>;
}

export function runnable(deps: Deps, route: Route): RunnableRoute {
  const { write } = route;
  const params = route.params && queryCheck(route.params);
  const query = route.query && queryCheck(route.query, route.queryRefusal);
  const body = checkOfBody(route);

  return {
    route,
    check: (given) => ({
      params: params?.(given.params),
      query: query?.(withoutEmpty(given.query)),
      body: body(given.body),
    }),
    run(caller, input, context) {
      const { requestId, deadline, ip, userAgent, idempotencyKey } = context;
      const ifMatch = route.etag === 'checked' ? ifMatchOf(context.ifMatch) : undefined;
      const inTenant: InTenant = async (work, options) => ({
        status: 200,
        body: await deps.withTenant(caller?.tenantId ?? '', work, options),
      });
      const handle = (once: Once) =>
        route.handle({
          requestId,
          deadline,
          ip,
          userAgent,
          // Few handlers read it.
          get signal() {
            return context.signal;
          },
          caller,
          inTenant,
          ...input,
          ifMatch,
          ...once,
        });
      return withinDeadline(runOnce(deps, { idempotencyKey, route, caller, input }, handle), deadline);
    },
    runClaimed:
      write &&
      ((claimed, input, { deadline, admitCaller }) =>
        withinDeadline(
          write.explain(() => confirmAndWrite(deps, write, { claimed, input, admitCaller })),
          deadline,
        )),
  };
}

/** Runs a pipelined write whose first packet confirms the caller. */
const confirmAndWrite = (
  { withPipeline }: Pick<Deps, 'withPipeline'>,
  { first, effect }: NonNullable<Route['write']>,
  {
    claimed: { tenantId, statement, confirm },
    input,
    admitCaller,
  }: { claimed: ClaimedCaller; input: CheckedInput } & Omit<ClaimContext, 'deadline'>,
): Promise<HandlerResult> =>
  withPipeline(tenantId, async (tx) => {
    const [member = [], ...rows] = await tx.send([statement, ...first({ tenantId, ...input })]);
    const { caller, use } = confirm(member);
    await admitCaller(caller);
    const { statements, ...result } = await effect({ tx, caller, rows, ...input });
    await tx.sendAndCommit([...use, ...statements]);
    return result;
  });

/** An upload is read by its handler; a route without `body` gets none. */
function checkOfBody({ body, upload }: Route): Check<unknown> {
  if (upload) return (form) => form;
  return body ? bodyCheck(body) : () => undefined;
}

interface Admission {
  readonly caller: Caller | undefined;
  readonly ip: string;
  readonly onLimit?: (limit: RateState) => void;
  /** The request was counted already: the page that calls counts once, and only stricter limits apply to its calls. */
  readonly isPartOfPage?: boolean;
}

/** Checks rate limits, scope, permission, plan and confirmed address of a caller. */
export async function admit(
  deps: Pick<Deps, 'rateLimits'>,
  route: Route,
  { caller, ip, onLimit, isPartOfPage = false }: Admission,
): Promise<void> {
  const { access, feature, rate = 'default' } = route;
  const isCounted = isPartOfPage && rate === 'default';
  const limit = isCounted ? undefined : await deps.rateLimits.count(rate, { caller, ip });
  if (limit) onLimit?.(limit);
  if (!caller) return;
  if (!isWithinScope(route, caller.credential)) throw scopeRequired();
  if (access !== 'authenticated' && access !== 'public' && !can(caller.role, access)) throw forbidden();
  if (feature) assertFeature(caller.plan, feature);
  if (route.needsVerifiedEmail) assertVerified(caller);
}

/** Whether the credential permits the route: a key that only reads must not change anything or get further access. */
function isWithinScope({ method, keys }: Route, credential: Credential): boolean {
  if (credential.kind === 'session') return true;
  return keys !== 'none' && (credential.scope === 'full' || (method === 'GET' && keys === undefined));
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

/** Whether a refusal counts against the address of its caller. */
export const isCountedRefusal = (thrown: unknown): boolean =>
  thrown instanceof ServiceError && COUNTED_REFUSALS.has(thrown.kind);

/** What an effect runs in. */
type Once = Pick<Input<Access, unknown, unknown, unknown>, 'transact' | 'transactPipelined' | 'call'>;

interface RequestOnce {
  readonly idempotencyKey: string | undefined;
  readonly route: Route;
  readonly caller: Caller | undefined;
  readonly input: CheckedInput;
}

/** Runs the handler. With an Idempotency-Key a repeated request has no second effect. */
function runOnce(
  deps: Deps,
  { idempotencyKey, route, caller, input }: RequestOnce,
  handle: (once: Once) => Promise<HandlerResult>,
): Promise<HandlerResult> {
  const key = caller && (route.idempotency ?? 'none') !== 'none' ? keyOf(idempotencyKey) : undefined;
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

  const own = keyedRequest(caller, `${route.method} ${route.path}`, key, input);
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

/** Drops parameters without a value: they count as absent. */
const withoutEmpty = (query: object): object =>
  Object.fromEntries(Object.entries(query).filter(([, value]) => value !== ''));
