import type { Context, Middleware, Next } from 'koa';
import type { Log } from '../../adapters/log.ts';
import { StorageUnavailable } from '../../adapters/storage.ts';
import { isDatabaseUnavailable, isStatementStale } from '../../db/unavailable.ts';
import { ServiceError, unavailable } from '../../domain/errors.ts';
import { type Reason, type Refusal, UNEXPECTED } from '../../domain/refusal-reasons.ts';

/** HTTP status of each kind of refusal. */
export const STATUS: Record<Refusal, number> = {
  invalid: 400,
  invalid_transition: 400,
  unauthenticated: 401,
  two_factor_required: 401,
  forbidden: 403,
  scope_required: 403,
  email_unverified: 403,
  registration_closed: 403,
  plan_required: 403,
  not_found: 404,
  method_not_allowed: 405,
  conflict: 409,
  request_in_progress: 409,
  gone: 410,
  version_mismatch: 412,
  too_large: 413,
  unsupported_media_type: 415,
  unprocessable: 422,
  rate_limited: 429,
  mail_failed: 500,
  unreachable: 502,
  unavailable: 503,
  share_pending: 503,
};

/** Converts errors to the error body. An unknown error is a bug: it is logged in full and not shown to the caller. */
export const handleErrors =
  (log: Log): Middleware =>
  async (ctx: Context, next: Next) => {
    try {
      await next();
    } catch (thrown) {
      const error = refusalOf(thrown);
      const status = error ? STATUS[error.kind] : 500;
      // An unreachable endpoint of the caller is no fault of the service.
      if (status >= 500 && error?.kind !== 'unreachable')
        log.error({ err: thrown, requestId: ctx.state.requestId }, 'a request failed');
      respond(ctx, status, error);
    }
  };

/** Maps an error to a refusal. Errors of unavailable dependencies become `unavailable`. */
export function refusalOf(thrown: unknown): ServiceError | undefined {
  if (thrown instanceof ServiceError) return thrown;
  if (thrown instanceof StorageUnavailable || isDatabaseUnavailable(thrown)) return unavailable(thrown);
  // The transaction was rolled back and a new connection has fresh statements: a retry can succeed.
  if (isStatementStale(thrown)) return unavailable(thrown);
  return undefined;
}

/**
 * RFC 9110 wants a challenge with each 401, and RFC 6750 an error in it only when a key was sent. No scheme is registered for
 * session cookies, and this one makes no browser ask for a password.
 */
const challengeOf = (reason: Reason | typeof UNEXPECTED.reason): string =>
  reason === 'api_key_invalid' ? 'Bearer realm="quoting", error="invalid_token"' : 'Bearer realm="quoting"';

function respond(ctx: Context, status: number, error: ServiceError | undefined): void {
  const requestId = ctx.state.requestId;
  const message = error?.message ?? 'Error interno';
  const { code, reason } = error ? { code: error.kind, reason: error.reason } : UNEXPECTED;
  const { details, run } = error ?? {};
  const body = { error: message, code, reason, requestId, ...(details && { details }), ...(run && { run }) };

  ctx.status = status;
  if (error?.retryAfterSeconds !== undefined) ctx.set('Retry-After', String(error.retryAfterSeconds));
  if (status === 401) ctx.set('WWW-Authenticate', challengeOf(reason));
  // Close, so that the rest of an oversized body is not read.
  if (status === 413) ctx.set('Connection', 'close');
  if (ctx.accepts('application/json', 'application/problem+json') === 'application/problem+json') {
    ctx.body = JSON.stringify({ type: 'about:blank', title: message, status, detail: message, ...body });
    ctx.type = 'application/problem+json';
    return;
  }
  ctx.body = body;
}
