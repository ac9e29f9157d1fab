import { setTimeout as sleep } from 'node:timers/promises';
import { Client, Connection } from '@temporalio/client';
import { NativeConnection, Worker } from '@temporalio/worker';
import { writeHeartbeats } from '../adapters/heartbeat-file.ts';
import { readWorkerConfig } from '../adapters/config.ts';
import { createLog } from '../adapters/log.ts';
import { measuredMailer, measuredPdf } from '../adapters/metrics/measured.ts';
import { createWorkerMetrics, queueWatch } from '../adapters/metrics/metrics.ts';
import { serveMetrics } from '../adapters/metrics/server.ts';
import { createSecretBox } from '../adapters/crypto/secret-box.ts';
import { createMailer } from '../adapters/mail/transport.ts';
import { createPdfRenderer } from '../adapters/pdf/renderer.ts';
import { createOutboundHttp } from '../adapters/outbound-http/client.ts';
import { onShutdown, reportReady } from '../adapters/process.ts';
import { createStorage } from '../adapters/storage.ts';
import { clientOptions, connectionOptions, namespaceOptions } from '../adapters/temporal/connection.ts';
import { tracedMailer, tracedOutbound, tracedPdf, tracedStorage } from '../adapters/tracing/traced.ts';
import { currentTraceparent, traceMembers } from '../adapters/tracing/spans.ts';
import { startTracing } from '../adapters/tracing/start-tracing.ts';
import { connect } from '../db/database.ts';
import { connectAsDispatcher } from '../db/dispatcher-db.ts';
import { createNudge } from '../db/with-tenant.ts';
import { refuseUnsafeRoles } from '../db/safe-roles.ts';
import { createWithPipeline } from '../db/pipeline.ts';
import { createWithTenant } from '../db/with-tenant.ts';
import { mailQuotaOf } from '../domain/mail-quota.ts';
import { createActivityPermits } from '../activities/permits.ts';
import { startOutboxDispatcher } from './outbox-dispatcher.ts';
import { SOURCES } from './reconcile-sources.ts';
import { startReconciler } from './reconciler.ts';
import { checkStoredFiles } from '../activities/housekeeping/stored-files.ts';
import { loggedMailer } from '../activities/mail-outcomes.ts';
import { noteSubject, stepMembers } from './step-members.ts';
import { startTemporalRuntime } from './temporal-runtime.ts';
import { HEARTBEAT_INTERVAL_MS, heartbeatInterceptor } from './heartbeat-interceptor.ts';
import { type WorkerKind, workerKinds } from './worker-kinds.ts';
import { waitForShutdown } from './wait-for-shutdown.ts';
import { measureWorker } from './worker-figures.ts';
import { workflowBundlePath } from './workflow-bundle.ts';

// The worker process: polls Temporal for all task queues, and runs the outbox dispatcher and the reconciler. Any number of
// them may run.
const config = readWorkerConfig();
if (config.PROFILE === 'production') {
  const { DATABASE_URL, DATABASE_DISPATCHER_URL } = config;
  await refuseUnsafeRoles({ DATABASE_URL, DATABASE_DISPATCHER_URL });
}
const logOptions = { level: config.LOG_LEVEL, name: 'worker' };
const tracing = await startTracing({ ...config, service: 'quoting-worker' }, createLog(logOptions));
const log = createLog({ ...logOptions, members: () => ({ ...traceMembers(), ...stepMembers() }) });
const metrics = createWorkerMetrics(SOURCES.map(({ workflow }) => workflow));

const knex = connect({ url: config.DATABASE_URL, pool: config.DATABASE_POOL, applicationName: 'quoting-worker' });
const dispatcherDb = connectAsDispatcher({
  url: config.DATABASE_DISPATCHER_URL,
  pool: 4,
  applicationName: 'quoting-dispatcher',
});
const nudge = createNudge(knex);
const withTenant = createWithTenant(knex, nudge, currentTraceparent);
const withPipeline = createWithPipeline(knex, nudge, currentTraceparent);
const storage = tracedStorage(createStorage(config));
const pdf = tracedPdf(measuredPdf(createPdfRenderer({ log, watch: queueWatch(metrics, 'pdf') }), metrics));
const mailer = tracedMailer(loggedMailer(measuredMailer(createMailer(config), metrics), log));
const secrets = createSecretBox(config.ENCRYPTION_KEYS);
measureWorker(metrics, { knex, dispatcherDb });
const metricsServer = serveMetrics(config, metrics, log);
// Before the first native connection: the SDK takes its options once.
await startTemporalRuntime(config, log);

// The start does not wait for Temporal, which may start later or restart.
const connection = Connection.lazy(clientOptions(config));
const interceptors = { workflow: tracing?.clientInterceptors ?? [] };
const temporal = new Client({ connection, ...namespaceOptions(config), interceptors });
const dispatcher = startOutboxDispatcher({
  knex: dispatcherDb,
  withTenant,
  databaseUrl: config.DATABASE_DISPATCHER_URL,
  temporal,
  log,
});
const reconciler = startReconciler({
  knex: dispatcherDb,
  databaseUrl: config.DATABASE_DISPATCHER_URL,
  temporal,
  connection,
  ...namespaceOptions(config),
  log,
  onRestart: (workflow) => metrics.reconcilerRestarts.inc({ workflow }),
});

const stopping = new AbortController();
const kinds = workerKinds({
  stopping: stopping.signal,
  mailQuota: mailQuotaOf(config),
  config,
  workflowBundle: { codePath: await workflowBundlePath({ isTraced: tracing !== undefined }) },
  withTenant,
  withPipeline,
  nudge,
  dispatcher: dispatcherDb,
  wakeDispatcher: dispatcher.wakeForDeliveries,
  temporal,
  log,
  metrics,
  storage,
  pdf,
  mailer,
  secrets,
  permits: createActivityPermits((queue) => queueWatch(metrics, queue)),
  outbound: tracedOutbound(createOutboundHttp(config)),
});

// A database that was restored without its storage, or the other way round, is reported now and not only at night.
checkStoredFiles({ dispatcher: dispatcherDb, storage, log, metrics }, '').catch((err: unknown) =>
  log.warn({ err }, 'the files of the database could not be compared with the storage'),
);

// It serves nothing, so that it lives is all that can be asked.
const stopSigning = writeHeartbeats('worker');
const workers = new Map<string, Worker>();

/** Polls one kind of task queue until the process stops; a worker that ended because Temporal was unavailable is replaced. */
async function poll(options: WorkerKind, onReady: () => void): Promise<void> {
  while (!stopping.signal.aborted) {
    let native: NativeConnection | undefined;
    try {
      native = await NativeConnection.connect(connectionOptions(config));
      const worker = await Worker.create({
        ...options,
        connection: native,
        ...namespaceOptions(config),
        // Without these a running activity is dropped at SIGTERM, or blocks the exit without end.
        shutdownGraceTime: '10s',
        shutdownForceTime: '15s',
        // How long the next step of a run waits for a worker that was killed. The default is longer than a share may take.
        stickyQueueScheduleToStartTimeout: '2s',
        interceptors: { activity: [noteSubject, heartbeatInterceptor, ...(tracing?.activityInterceptors ?? [])] },
        ...(tracing && { sinks: tracing.sinks }),
        // By default four fifths of the limit pass between two signs: one that is a little late would be too late.
        maxHeartbeatThrottleInterval: HEARTBEAT_INTERVAL_MS,
      });
      workers.set(options.taskQueue, worker);
      const run = worker.run();
      onReady();
      await waitForShutdown(worker, run);
    } catch (error) {
      log.warn({ err: error, taskQueue: options.taskQueue }, 'the worker tries again: Temporal is not available');
      await sleep(1_000);
    } finally {
      workers.delete(options.taskQueue);
      await native?.close().catch(() => undefined);
    }
  }
}

let ready = 0;
const polling = Promise.all(
  kinds.map((kind) => {
    let first = true;
    return poll(kind, () => {
      if (!first) return;
      first = false;
      ready += 1;
      if (ready === kinds.length) reportReady();
    });
  }),
);

onShutdown(async () => {
  stopping.abort();
  for (const worker of workers.values()) if (worker.getState() === 'RUNNING') worker.shutdown();
  await dispatcher.stop();
  await reconciler.stop();
  await polling;
  await pdf.close();
  mailer.close();
  storage.close();
  await connection.close();
  await knex.destroy();
  await dispatcherDb.destroy();
  await tracing?.stop();
  await metricsServer.close();
  stopSigning();
});
