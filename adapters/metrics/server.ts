import { createServer } from 'node:http';
import { collectDefaultMetrics } from 'prom-client';
import type { ApiConfig } from '../config.ts';
import type { Log } from '../log.ts';
import type { ProcessMetrics } from './metrics.ts';

export interface MetricsServer {
  close(): Promise<void>;
}

export type MetricsConfig = Pick<ApiConfig, 'METRICS_HOST' | 'METRICS_PORT'>;

/**
 * Serves `/metrics` on a separate port, which clients must not reach. Without METRICS_PORT nothing is served and Node's
 * own metrics are not collected. A port that is in use disables the metrics, not the service.
 */
export function serveMetrics(
  { METRICS_HOST, METRICS_PORT }: MetricsConfig,
  { registry }: ProcessMetrics,
  log: Log,
): MetricsServer {
  if (METRICS_PORT === undefined) return { close: () => Promise.resolve() };
  // Event loop lag, heap, garbage collection, CPU, open files.
  collectDefaultMetrics({ register: registry });
  const server = createServer((request, response) => {
    if (request.method !== 'GET' || request.url !== '/metrics') {
      response.writeHead(404).end();
      return;
    }
    registry.metrics().then(
      (text) => response.writeHead(200, { 'Content-Type': registry.contentType }).end(text),
      (error: unknown) => {
        log.warn({ err: error }, 'the metrics could not be read');
        response.writeHead(500).end();
      },
    );
  });
  server.on('error', (error) => log.error({ err: error, port: METRICS_PORT }, 'the metrics are not served'));
  server.listen(METRICS_PORT, METRICS_HOST);
  return {
    async close() {
      server.closeAllConnections();
      await new Promise<void>((resolve) => {
        server.close(() => resolve());
      });
    },
  };
}
