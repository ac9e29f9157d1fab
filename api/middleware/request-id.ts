import type { Context, Next } from 'koa';
import { newId } from '../../db/ids.ts';

const ACCEPTED = /^[A-Za-z0-9._-]{1,64}$/;

/** Takes the caller's X-Request-Id or makes one; it stands on every answer, in logs and in Temporal's memo. */
export async function requestId(ctx: Context, next: Next): Promise<void> {
  const given = ctx.get('X-Request-Id');
  const id = ACCEPTED.test(given) ? given : newId();
  ctx.state['requestId'] = id;
  ctx.set('X-Request-Id', id);
  await next();
}
