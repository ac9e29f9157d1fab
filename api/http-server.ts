import { createServer, type RequestListener, type Server } from 'node:http';

/** Time limits for clients. */
export interface ClientTimeouts {
  /** Until the headers are complete. */
  readonly headersMs: number;
  /** Until the request with its body is complete. */
  readonly requestMs: number;
  /** Without a byte in either direction. */
  readonly idleMs: number;
  /** Until the client has read the whole response, even if it keeps reading slowly. */
  readonly responseMs: number;
  /** Between two requests of a connection. Longer than the usual timeout of proxies, so that they close first. */
  readonly keepAliveMs: number;
}

export const CLIENT_TIMEOUTS: ClientTimeouts = {
  headersMs: 10_000,
  requestMs: 30_000,
  idleMs: 60_000,
  responseMs: 600_000,
  keepAliveMs: 65_000,
};

/** The HTTP server with limits for slow clients, which would otherwise hold connections for ever. */
export function createHttpServer(handle: RequestListener, timeouts: ClientTimeouts = CLIENT_TIMEOUTS): Server {
  const server = createServer(
    {
      // Larger than our limit for URLs, so that a longer URL gets our 413 and not Node's bare 431.
      maxHeaderSize: 64 * 1024,
      headersTimeout: timeouts.headersMs,
      requestTimeout: timeouts.requestMs,
      keepAliveTimeout: timeouts.keepAliveMs,
      // Node checks every 30 s by default, so a limit of 10 s would become 40 s.
      connectionsCheckingInterval: Math.min(1_000, timeouts.headersMs / 4),
    },
    handle,
  );
  server.setTimeout(timeouts.idleMs);
  server.on('request', (_, res) => {
    const timer = setTimeout(() => res.destroy(), timeouts.responseMs);
    res.once('close', () => clearTimeout(timer));
  });
  return server;
}
