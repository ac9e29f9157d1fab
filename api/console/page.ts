import type { Router } from '@koa/router';
import type { Context } from 'koa';
import { layout } from '../../console/layout.ts';
import { NOTICES } from '../../console/notices.ts';
import { refusalPage } from '../../console/refusal-page.ts';
import { type Caller } from '../../domain/caller.ts';
import { forbidden, ServiceError } from '../../domain/errors.ts';
import { can } from '../../domain/permissions.ts';
import { assertFeature } from '../../domain/plans.ts';
import { authenticate } from '../authenticate.ts';
import { requestDeadline, withinDeadline } from '../deadline.ts';
import type { Deps } from '../deps.ts';
import { send, setSession, sourceOf } from '../endpoint.ts';
import { refusalOf, STATUS } from '../middleware/errors.ts';
import { readQuery } from '../read-query.ts';
import { readUploadWithFields, type UploadedForm } from '../read-upload.ts';
import { isCountedRefusal } from '../run-route.ts';
import { untilClosed } from '../until-closed.ts';
import { FRAME_ASSETS } from './assets.ts';
import { callsOf, type Operations } from './call.ts';
import type { Page, PageRequest, PageResult, ShownPage } from './declaration.ts';
import { expiredSession } from './expired-session.ts';
import { postedForm, refusedForm } from './form.ts';
import type { FormState, Fields } from '../../console/forms/form-state.ts';
import { assertOwnForm, type OwnPaths } from './guards.ts';
import { readFields, withoutBlankRows } from './posted-fields.ts';
import { setPageHeaders } from './respond.ts';

export interface ConsoleParts {
  readonly deps: Deps;
  readonly operations: Operations;
  readonly paths: OwnPaths;
}

/** Serves a page: own form → session → permission → plan → form → handle → respond. Refusals are pages, too. */
export function servePage(router: Router, parts: ConsoleParts, page: Page): void {
  router.register(page.path, [page.method], async (ctx: Context) => {
    ctx.state.route = page.path;
    setPageHeaders(ctx, page.hasTokenInUrl === true);
    const visit: Visit = { caller: undefined, fields: undefined, deadline: requestDeadline() };
    try {
      await withinDeadline(serve(ctx, parts, page, visit), visit.deadline);
    } catch (thrown) {
      await showRefusal(ctx, parts, { page, visit, thrown });
    }
  });
}

/** What a request has shown of itself before a refusal, and how long it may take. */
interface Visit {
  caller: Caller | undefined;
  fields: Fields | undefined;
  /** Epoch milliseconds; also of the calls of the page. */
  readonly deadline: number;
}

async function serve(ctx: Context, parts: ConsoleParts, page: Page, visit: Visit): Promise<void> {
  const { deps, operations } = parts;
  if (page.method === 'POST') assertOwnForm(ctx, deps.config.PUBLIC_URL);
  const isPublic = page.access === 'public';
  if (isPublic) await deps.rateLimits.count('default', { caller: undefined, ip: ctx.ip });
  else await admitCaller(ctx, deps, page, visit).catch((thrown: unknown) => countedRefusal(ctx, deps, thrown));
  const posted = await readPosted(ctx, page, visit);
  const query = queryOf(ctx);
  const source = {
    ...sourceOf(ctx),
    requestId: ctx.state.requestId,
    deadline: visit.deadline,
    signal: untilClosed(ctx),
  };
  const request: PageRequest = {
    ...callsOf(operations, { ...source, caller: visit.caller }),
    caller: visit.caller,
    visitor: () => sessionOf(ctx, deps).catch(withoutSession),
    params: ctx['params'] as Record<string, string>,
    query,
    form: postedForm(operations, posted.fields, page.upload ? query['key'] : undefined),
    file: posted.file,
    refusedFile: posted.refusedFile,
    path: ctx.path,
    requestId: ctx.state.requestId,
  };
  respond(ctx, deps, visit.caller, await page.handle(request));
}

/** Authenticates the session, once for all calls of the page. Never a key: pages are for browsers. */
const sessionOf = (ctx: Context, deps: Deps): Promise<Caller> => {
  const { cookie } = ctx.headers;
  const headers = cookie === undefined ? {} : { cookie };
  const { requestId } = ctx.state;
  return authenticate(deps, { headers, ...sourceOf(ctx), requestId, credentials: 'any' });
};

async function admitCaller(ctx: Context, deps: Deps, { access, feature, method, upload, secrets }: Page, visit: Visit) {
  try {
    visit.caller = await sessionOf(ctx, deps);
  } catch (thrown) {
    // The sign-in form carries the fields.
    if (method === 'POST' && !upload && isWithoutSession(thrown)) {
      await deps.rateLimits.count('default', { caller: undefined, ip: ctx.ip });
      visit.fields = withoutSecrets(await readFields(ctx), secrets);
    }
    throw thrown;
  }
  const { caller } = visit;
  ctx.state.tenantId = caller.tenantId;
  await deps.rateLimits.count('default', { caller, ip: ctx.ip });
  if (access !== 'authenticated' && access !== 'public' && !can(caller.role, access)) throw forbidden();
  if (feature) assertFeature(caller.plan, feature);
}

async function countedRefusal(ctx: Context, deps: Deps, thrown: unknown): Promise<never> {
  if (isCountedRefusal(thrown)) await deps.rateLimits.countRefusal(ctx.ip);
  throw thrown;
}

const isWithoutSession = (thrown: unknown): boolean =>
  thrown instanceof ServiceError && (thrown.reason === 'credentials_missing' || thrown.reason === 'session_invalid');

function withoutSession(thrown: unknown): undefined {
  if (!isWithoutSession(thrown)) throw thrown;
}

const SECRET = /password|secret|recoveryCode|^code$/i;

const withoutSecrets = (fields: Fields, secrets: readonly string[] = []): Fields =>
  new Map([...fields].filter(([name]) => !SECRET.test(name) && !secrets.includes(name)));

async function readPosted(
  ctx: Context,
  { method, upload, rowDefaults, showsRefusedFile = false }: Page,
  visit: Visit,
): Promise<Posted> {
  if (method === 'GET') return { fields: new Map(), file: undefined };
  if (upload) {
    try {
      return await readUploadWithFields(ctx, upload);
    } catch (thrown) {
      if (!showsRefusedFile || !(thrown instanceof ServiceError)) throw thrown;
      // The rest of a body that is too large is not read.
      ctx.set('Connection', 'close');
      return { fields: new Map(), file: undefined, refusedFile: thrown };
    }
  }
  visit.fields = withoutBlankRows(await readFields(ctx), rowDefaults);
  return { fields: visit.fields, file: undefined };
}

interface Posted {
  readonly fields: Fields;
  readonly file: UploadedForm | undefined;
  readonly refusedFile?: ServiceError;
}

const queryOf = (ctx: Context): Record<string, string> =>
  Object.fromEntries(
    Object.entries(readQuery(ctx.querystring)).flatMap(([name, value]) => {
      const first = [value].flat()[0];
      return first ? [[name, first]] : [];
    }),
  );

function respond(ctx: Context, deps: Deps, caller: Caller | undefined, result: PageResult): void {
  if ('file' in result) return send(deps, ctx, result.file);
  setSession(deps, ctx, result.session);
  if ('redirectTo' in result) {
    ctx.status = 303;
    ctx.set('Location', result.redirectTo);
    ctx.body = '';
    return;
  }
  show(ctx, caller, result);
}

function show(ctx: Context, caller: Caller | undefined, { title, body, status = 200, retryAfterSeconds }: ShownPage) {
  const { notice } = ctx.query;
  const noticed = typeof notice === 'string' && Object.hasOwn(NOTICES, notice) ? NOTICES[notice] : undefined;
  if (retryAfterSeconds !== undefined) ctx.set('Retry-After', String(retryAfterSeconds));
  ctx.status = status;
  ctx.type = 'text/html; charset=utf-8';
  ctx.body = layout(
    { assets: FRAME_ASSETS, caller, path: ctx.path, notice: status < 400 ? noticed : undefined },
    title,
    body,
  );
}

/** Shows a refusal as a page; without a session the sign-in form. */
async function showRefusal(
  ctx: Context,
  parts: ConsoleParts,
  { page, visit, thrown }: { page: Page; visit: Visit; thrown: unknown },
): Promise<void> {
  const { deps } = parts;
  const refusal = refusalOf(thrown);
  if (!refusal || STATUS[refusal.kind] >= 500)
    deps.log.error({ err: thrown, requestId: ctx.state.requestId }, 'a page failed');
  if (isWithoutSession(thrown) && page.access !== 'public') {
    respond(ctx, deps, undefined, expiredSession(ctx, parts, { page, fields: visit.fields }));
    return;
  }
  const status = refusal ? STATUS[refusal.kind] : 500;
  // The rest of a body that is too large is not read.
  if (status === 413) ctx.set('Connection', 'close');
  show(ctx, visit.caller, {
    ...refusalPage({ refusal, caller: visit.caller, path: ctx.path, requestId: ctx.state.requestId }),
    status,
    retryAfterSeconds: refusal?.retryAfterSeconds,
  });
}

interface Submission {
  /** Calls the API and says where to go. */
  readonly submit: () => Promise<PageResult>;
  /** The page of the form, with the refusal. */
  readonly show: (form: FormState, refusal: ServiceError) => Promise<ShownPage> | ShownPage;
}

/** Handles a form. A refused one is shown again with its input, the messages beside its fields and the refusal's status. */
export async function submitted(
  { form }: { readonly form: FormState },
  { submit, show: showForm }: Submission,
): Promise<PageResult> {
  try {
    return await submit();
  } catch (thrown) {
    const refusal = refusalOf(thrown);
    if (!refusal || isWithoutSession(refusal)) throw thrown;
    const { retryAfterSeconds } = refusal;
    return {
      ...(await showForm(refusedForm(form, refusal), refusal)),
      status: STATUS[refusal.kind],
      retryAfterSeconds,
    };
  }
}
