import { once } from 'node:events';
import { createServer } from 'node:net';
import { Runtime } from '@temporalio/worker';
import type { WorkerConfig } from '../adapters/config.ts';
import type { Log } from '../adapters/log.ts';

/**
 * The figures of Temporal's SDK (how long tasks wait for a worker, slots, failures by type), on a port of their own: its
 * native half serves them. Once a process, before anything of the SDK is made; without the port nothing is done. A port
 * that is taken, or a host that is not ours, costs the figures and not the worker: the log says so.
 */
export async function serveTemporalMetrics(
  { METRICS_HOST, TEMPORAL_METRICS_PORT }: Pick<WorkerConfig, 'METRICS_HOST' | 'TEMPORAL_METRICS_PORT'>,
  log: Log,
): Promise<void> {
  if (TEMPORAL_METRICS_PORT === undefined) return;
  try {
    const bindAddress = await socketAddress(METRICS_HOST, TEMPORAL_METRICS_PORT);
    Runtime.install({
      telemetryOptions: {
        metrics: {
          prometheus: {
            bindAddress,
            // As the other figures are named: …_total, …_seconds.
            countersTotalSuffix: true,
            unitSuffix: true,
            useSecondsForDurations: true,
          },
        },
      },
    });
  } catch (error) {
    log.error({ err: error, port: TEMPORAL_METRICS_PORT }, "the metrics of Temporal's SDK are not served");
  }
}

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
