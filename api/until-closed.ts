import type { Context } from 'koa';

/** Aborted when the request's caller has its answer or has left. */
export function untilClosed({ res }: Context): AbortSignal {
  const closed = new AbortController();
  if (res.destroyed) closed.abort();
  else res.once('close', () => closed.abort());
  return closed.signal;
}
