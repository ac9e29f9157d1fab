import type { Context } from 'koa';

/** Aborted after the response or when the caller disconnects. */
export function untilClosed({ res }: Context): AbortSignal {
  const closed = new AbortController();
  if (res.destroyed) closed.abort();
  else res.once('close', () => closed.abort());
  return closed.signal;
}
