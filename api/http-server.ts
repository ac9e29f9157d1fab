import { createServer, type RequestListener, type Server } from 'node:http';

/** How long a client may take, in milliseconds. */
export interface Patience {
  /** Until the headers are complete. */
  readonly headersMs: number;
  /** Until the whole request is, its body too. */
  readonly requestMs: number;
  /** Without a byte in either direction. */
  readonly idleMs: number;
  /** Until the response is read, however little of it the client takes at a time. */
  readonly responseMs: number;
  /** Between two requests of one connection; more than proxies usually have, so that they close first. */
  readonly keepAliveMs: number;
}

export const PATIENCE: Patience = {
  headersMs: 10_000,
  requestMs: 30_000,
  idleMs: 60_000,
  responseMs: 600_000,
  keepAliveMs: 65_000,
};

/** The HTTP server: a client that drips its bytes, or never reads ours, may not hold a connection for ever. */
export function createHttpServer(handle: RequestListener, patience: Patience = PATIENCE): Server {
  const server = createServer(
    {
      // Larger than a URL may be, so that one that is too long gets our 413 and not Node's bare 431.
      maxHeaderSize: 64 * 1024,
      headersTimeout: patience.headersMs,
      requestTimeout: patience.requestMs,
      keepAliveTimeout: patience.keepAliveMs,
      // Node looks every 30 s unless told: a limit of 10 would be one of 40.
      connectionsCheckingInterval: Math.min(1_000, patience.headersMs / 4),
    },
    handle,
  );
  server.setTimeout(patience.idleMs);
  server.on('request', (_, res) => {
    const timer = setTimeout(() => res.destroy(), patience.responseMs);
    res.once('close', () => clearTimeout(timer));
  });
  return server;
}
