import { randomUUID } from 'node:crypto';
import type { Context, Next } from 'koa';

const ACCEPTED = /^[A-Za-z0-9._-]{1,64}$/;

/** Uses the caller's X-Request-Id or creates one. It is in every response, in logs and in Temporal's memo. */
export async function requestId(ctx: Context, next: Next): Promise<void> {
  const given = ctx.get('X-Request-Id');
  // A UUID: a CUID would cost a hundred times as much per request.
  const id = ACCEPTED.test(given) ? given : randomUUID();
  ctx.state.requestId = id;
  ctx.set('X-Request-Id', id);
  await next();
}
