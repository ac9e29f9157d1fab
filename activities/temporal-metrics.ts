import { Runtime } from '@temporalio/worker';
import type { WorkerConfig } from '../adapters/config.ts';

/**
 * The figures of Temporal's SDK (how long tasks wait for a worker, slots, failures by type), on a port of their own: its
 * native half serves them. Once a process, before anything of the SDK is made; without the port nothing is done.
 */
export function serveTemporalMetrics({
  METRICS_HOST,
  TEMPORAL_METRICS_PORT,
}: Pick<WorkerConfig, 'METRICS_HOST' | 'TEMPORAL_METRICS_PORT'>): void {
  if (TEMPORAL_METRICS_PORT === undefined) return;
  Runtime.install({
    telemetryOptions: {
      metrics: {
        prometheus: {
          bindAddress: `${METRICS_HOST}:${TEMPORAL_METRICS_PORT}`,
          // As the other figures are named: …_total, …_seconds.
          countersTotalSuffix: true,
          unitSuffix: true,
          useSecondsForDurations: true,
        },
      },
    },
  });
}
