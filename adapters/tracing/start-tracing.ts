import type { WorkerConfig } from '../config.ts';
import type { Log } from '../log.ts';
import type { TracingSdk } from './open-telemetry.ts';

export interface TracingConfig extends Pick<WorkerConfig, 'OTEL_EXPORTER_OTLP_ENDPOINT'> {
  /** The process, as the trace names it. */
  readonly service: 'quoting-api' | 'quoting-worker';
}

/**
 * Registers the SDK, which is loaded only if the environment names a receiver of traces. Call it before the first
 * connection: the database's driver is patched.
 */
export async function startTracing(
  { OTEL_EXPORTER_OTLP_ENDPOINT: endpoint, service }: TracingConfig,
  log: Log,
): Promise<TracingSdk | undefined> {
  if (endpoint === undefined) return undefined;
  const { startOpenTelemetry } = await import('./open-telemetry.ts');
  return startOpenTelemetry({ endpoint, service, log });
}
