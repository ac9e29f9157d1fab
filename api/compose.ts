import { Connection } from '@temporalio/client';
import type { ApiConfig } from '../adapters/config.ts';
import { createPasswords } from '../adapters/crypto/passwords.ts';
import { createSecretBox } from '../adapters/crypto/secret-box.ts';
import { createSessionCookies } from '../adapters/crypto/session-cookie.ts';
import { createImages } from '../adapters/images/images.ts';
import { createLog, type Log } from '../adapters/log.ts';
import { measuredPdf } from '../adapters/metrics/measured.ts';
import { createApiMetrics, measurePools, queueWatch } from '../adapters/metrics/metrics.ts';
import { createOutboundHttp } from '../adapters/outbound-http/client.ts';
import { createFairOutbound } from '../adapters/outbound-http/fair.ts';
import { createPdfRenderer } from '../adapters/pdf/renderer.ts';
import { reportLossTo } from '../adapters/signed-pdf.ts';
import { createSpreadsheets } from '../adapters/spreadsheets/spreadsheets.ts';
import { createStorage } from '../adapters/storage.ts';
import { clientOptions, namespaceOptions } from '../adapters/temporal/connection.ts';
import { tracedOutbound, tracedPdf, tracedStorage } from '../adapters/tracing/traced.ts';
import type { TracingSdk } from '../adapters/tracing/open-telemetry.ts';
import { currentTraceparent, traceMembers } from '../adapters/tracing/spans.ts';
import { connect, REQUEST_STATEMENT_TIMEOUT_MS } from '../db/database.ts';
import { createNudge } from '../db/with-tenant.ts';
import { createPipelinedRead, createWithPipeline } from '../db/pipeline.ts';
import { poolFigures } from '../db/pool.ts';
import { createLookups } from '../db/reads/lookups.ts';
import { createMembers } from '../db/reads/members.ts';
import { createWithTenant } from '../db/with-tenant.ts';
import { createSignInThrottle } from './auth/sign-in-throttle.ts';
import type { Deps } from './deps.ts';
import { createDraining } from './draining.ts';
import { createRateLimits } from './rate-limits.ts';
import { createReadiness } from './readiness.ts';
import { createStreams } from './streams.ts';
import { createWorkflows } from './temporal.ts';
import { createWorkflowExecutions } from './workflow-executions.ts';

export const apiLog = (config: Pick<ApiConfig, 'LOG_LEVEL'>): Log =>
  createLog({ level: config.LOG_LEVEL, name: 'api', members: traceMembers });

/** Creates the dependencies of requests from the configuration. Does not connect, so services may start later. */
export function compose(
  config: ApiConfig,
  tracing?: TracingSdk,
): { readonly deps: Deps; readonly close: () => Promise<void> } {
  const log = apiLog(config);
  const metrics = createApiMetrics();
  const knex = connect({
    url: config.DATABASE_URL,
    pool: config.DATABASE_POOL,
    applicationName: 'quoting-api',
    statementTimeoutMs: REQUEST_STATEMENT_TIMEOUT_MS,
  });
  const pipelinedRead = createPipelinedRead(knex);
  const nudge = createNudge(knex);
  measurePools(metrics, { api: () => poolFigures(knex) });
  const connection = Connection.lazy(clientOptions(config));
  const storage = tracedStorage(createStorage(config));

  const deps: Deps = {
    config,
    log,
    now: () => new Date(),
    pipelinedRead,
    withPipeline: createWithPipeline(knex, nudge, currentTraceparent),
    apiMetrics: metrics,
    withTenant: createWithTenant(knex, nudge, currentTraceparent),
    lookups: createLookups(knex),
    members: createMembers(pipelinedRead),
    passwords: createPasswords({ watch: queueWatch(metrics, 'passwords') }),
    cookies: createSessionCookies({ secrets: config.SESSION_SECRETS, secure: config.PUBLIC_URL.startsWith('https:') }),
    secrets: createSecretBox(config.ENCRYPTION_KEYS),
    pdf: tracedPdf(measuredPdf(createPdfRenderer({ log, watch: queueWatch(metrics, 'pdf') }), metrics)),
    images: createImages({
      watch: { logos: queueWatch(metrics, 'logos'), signatures: queueWatch(metrics, 'signatures') },
    }),
    spreadsheets: createSpreadsheets(),
    storage,
    reportLoss: reportLossTo(log, metrics),
    outbound: createFairOutbound(tracedOutbound(createOutboundHttp(config)), {
      watch: { calls: queueWatch(metrics, 'outbound_calls'), lookUps: queueWatch(metrics, 'outbound_look_ups') },
    }),
    workflows: createWorkflows(connection, namespaceOptions(config), tracing?.clientInterceptors),
    workflowExecutions: createWorkflowExecutions(connection, {
      ...namespaceOptions(config),
      uiUrl: config.TEMPORAL_UI_URL,
    }),
    rateLimits: createRateLimits(config),
    signInThrottle: createSignInThrottle(config),
    streams: createStreams(),
    draining: createDraining(),
    readiness: createReadiness(config, connection, storage),
  };

  return {
    deps,
    async close() {
      await deps.pdf.close();
      deps.storage.close();
      await deps.readiness.close();
      await connection.close();
      await knex.destroy();
    },
  };
}
