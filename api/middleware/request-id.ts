import { randomUUID } from 'node:crypto';
import type { Context, Next } from 'koa';

const ACCEPTED = /^[A-Za-z0-9._-]{1,64}$/;

/** Takes the caller's X-Request-Id or makes one; it stands on every answer, in logs and in Temporal's memo. */
export async function requestId(ctx: Context, next: Next): Promise<void> {
  const given = ctx.get('X-Request-Id');
  // No record's id, and made for every request: a CUID costs a hundred times as much.
  const id = ACCEPTED.test(given) ? given : randomUUID();
  ctx.state.requestId = id;
  ctx.set('X-Request-Id', id);
  await next();
}
