import type { Context } from 'koa';

// One for all: the default reason is a new DOMException with its stack, for every request.
const CLOSED = new Error('the response has ended');

/** Aborted after the response or when the caller disconnects. */
export function untilClosed({ res }: Context): AbortSignal {
  const closed = new AbortController();
  if (res.destroyed) closed.abort(CLOSED);
  else res.once('close', () => closed.abort(CLOSED));
  return closed.signal;
}
