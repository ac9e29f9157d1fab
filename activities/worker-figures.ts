import type { Knex } from 'knex';
import { measureLater, measurePools, type WorkerMetrics } from '../adapters/metrics/metrics.ts';
import { poolFigures } from '../db/pool.ts';
import { failingEndpoints, oldestWaiting } from '../db/reads/waiting-work.ts';

/** What a worker shows beside what it counts. Of the database every worker says the same: take the maximum. */
export function measureWorker(metrics: WorkerMetrics, { knex, relayKnex }: { knex: Knex; relayKnex: Knex }): void {
  measurePools(metrics, { worker: () => poolFigures(knex), relay: () => poolFigures(relayKnex) });
  measureLater(
    metrics,
    {
      name: 'outbox_oldest_seconds',
      help: 'Seconds that the oldest of what waits to be planned or handed over to Temporal has waited',
      label: 'step',
    },
    () => oldestWaiting(relayKnex),
  );
  measureLater(
    metrics,
    { name: 'webhook_endpoints_failing', help: 'Webhooks that are on and whose last call failed' },
    () => failingEndpoints(relayKnex),
  );
}
