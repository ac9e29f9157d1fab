import type { Knex } from 'knex';
import { measureLater, measurePools, type WorkerMetrics } from '../adapters/metrics/metrics.ts';
import type { DispatcherDb } from '../db/dispatcher-db.ts';
import { poolFigures } from '../db/pool.ts';
import { failingEndpoints, oldestWaiting } from '../db/reads/waiting-work.ts';

/** What a worker shows beside what it counts. Of the database every worker says the same: take the maximum. */
export function measureWorker(
  metrics: WorkerMetrics,
  { knex, dispatcherDb }: { knex: Knex; dispatcherDb: DispatcherDb },
): void {
  measurePools(metrics, { worker: () => poolFigures(knex), dispatcher: () => poolFigures(dispatcherDb) });
  measureLater(
    metrics,
    {
      name: 'outbox_oldest_seconds',
      help: 'Age in seconds of the oldest row that waits to be fanned out or dispatched to Temporal',
      label: 'step',
    },
    () => oldestWaiting(dispatcherDb),
  );
  measureLater(
    metrics,
    { name: 'webhook_endpoints_failing', help: 'Webhooks that are on and whose last call failed' },
    () => failingEndpoints(dispatcherDb),
  );
}
