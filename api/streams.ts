import { Readable } from 'node:stream';
import { streamLimitReached } from '../domain/request-refusals.ts';
import { CLIENT_TIMEOUTS } from './http-server.ts';

/** Concurrent streams per tenant. Each holds a batch of rows until its reader has taken it. */
const MAX_STREAMS = 4;
const RETRY_AFTER_S = 10;

declare const BODY: unique symbol;

/** A stream of the JSON of a `Body`, which is sent unchanged. */
export type JsonStream<Body> = Readable & { readonly [BODY]: Body };

/** Streams `{"data": [...]}` with the items of all batches. */
export const streamData = <Item>(
  batches: AsyncIterable<readonly Item[]>,
): JsonStream<{ readonly data: readonly Item[] }> =>
  // `BODY` exists only as a type: what was written cannot be seen in a stream.
  Readable.from(dataJson(batches)) as JsonStream<{ readonly data: readonly Item[] }>;

async function* dataJson(batches: AsyncIterable<readonly unknown[]>) {
  let before = '{"data":[';
  for await (const batch of batches) {
    yield before + batch.map((item) => JSON.stringify(item)).join(',');
    before = ',';
  }
  yield before === ',' ? ']}' : `${before}]}`;
}

/** Bounds the memory that slow readers of streamed responses hold. */
export interface Streams {
  /** Opens the stream of `make`; throws `rate_limited` while the tenant has too many. */
  open<Stream extends Readable>(tenantId: string, make: () => Promise<Stream>): Promise<Stream>;
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
      if ((open.get(tenantId) ?? 0) >= MAX_STREAMS) throw streamLimitReached(RETRY_AFTER_S);
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
