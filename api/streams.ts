import type { Readable } from 'node:stream';
import { tooManyRequests } from '../domain/errors.ts';
import { CLIENT_TIMEOUTS } from './http-server.ts';

/** Concurrent streams per tenant. Each holds a batch of rows until its reader has taken it. */
const MAX_STREAMS = 4;
const RETRY_AFTER_S = 10;

/** Bounds the memory that slow readers of streamed responses hold. */
export interface Streams {
  /** Opens the stream of `make`; throws `rate_limited` while the tenant has too many. */
  open(tenantId: string, make: () => Promise<Readable>): Promise<Readable>;
}

export function createStreams(): Streams {
  const open = new Map<string, number>();
  const count = (tenantId: string, by: 1 | -1): void => {
    const streams = (open.get(tenantId) ?? 0) + by;
    if (streams === 0) open.delete(tenantId);
    else open.set(tenantId, streams);
  };
  return {
    async open(tenantId, make) {
      if ((open.get(tenantId) ?? 0) >= MAX_STREAMS) throw tooManyRequests(RETRY_AFTER_S);
      count(tenantId, 1);
      try {
        const stream = await make();
        // After a timeout of the request no response closes the stream.
        const timer = setTimeout(() => stream.destroy(), CLIENT_TIMEOUTS.responseMs).unref();
        stream.once('close', () => {
          clearTimeout(timer);
          count(tenantId, -1);
        });
        return stream;
      } catch (error) {
        count(tenantId, -1);
        throw error;
      }
    },
  };
}
