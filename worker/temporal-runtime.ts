import { once } from 'node:events';
import { createServer } from 'node:net';
import { type MetricsExporterConfig, Runtime } from '@temporalio/worker';
import type { WorkerConfig } from '../adapters/config.ts';
import type { Log } from '../adapters/log.ts';
import { temporalLogger } from './temporal-log.ts';

/**
 * Sets up Temporal's SDK, once a process and before anything of it is made: its lines, of the native half too, go to our
 * log, and its figures (how long tasks wait for a worker, slots, failures by type) are served on a port of their own, if
 * that is set. A port that is in use, or a host that is not ours, costs the figures and not the worker: the log says so.
 */
export async function startTemporalRuntime(
  { METRICS_HOST, TEMPORAL_METRICS_PORT }: Pick<WorkerConfig, 'METRICS_HOST' | 'TEMPORAL_METRICS_PORT'>,
  log: Log,
): Promise<void> {
  const logging = { filter: { core: 'WARN', other: 'ERROR' }, forward: {} } as const;
  const install = (metrics?: MetricsExporterConfig) =>
    Runtime.install({ logger: temporalLogger(log), telemetryOptions: { logging, ...(metrics && { metrics }) } });
  if (TEMPORAL_METRICS_PORT === undefined) return void install();
  try {
    install(figuresAt(await socketAddress(METRICS_HOST, TEMPORAL_METRICS_PORT)));
  } catch (error) {
    log.error({ err: error, port: TEMPORAL_METRICS_PORT }, "the metrics of Temporal's SDK are not served");
    install();
  }
}

const figuresAt = (bindAddress: string): MetricsExporterConfig => ({
  // As the other figures are named: …_total, …_seconds.
  prometheus: { bindAddress, countersTotalSuffix: true, unitSuffix: true, useSecondsForDurations: true },
});

/**
 * `address:port` as the native half takes it: it resolves no names and wants IPv6 in brackets. Node listens there for
 * a moment, so that METRICS_HOST means here what it means for the other figures. Throws when nobody can.
 */
export async function socketAddress(host: string, port: number): Promise<string> {
  const server = createServer().listen({ port, host, exclusive: true });
  await once(server, 'listening');
  const bound = server.address();
  server.close();
  await once(server, 'close');
  // Text is the path of a local socket, and null a server that does not listen: this one does, on a port.
  if (bound === null || typeof bound === 'string') throw new Error('no address to listen on');
  return bound.family === 'IPv6' ? `[${bound.address}]:${bound.port}` : `${bound.address}:${bound.port}`;
}
