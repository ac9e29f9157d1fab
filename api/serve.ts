import { setTimeout as sleep } from 'node:timers/promises';
import { localAddress, writeHeartbeats } from '../adapters/heartbeat-file.ts';
import { readApiConfig } from '../adapters/config.ts';
import { serveMetrics } from '../adapters/metrics/server.ts';
import { onShutdown, reportReady } from '../adapters/process.ts';
import { startTracing } from '../adapters/tracing/start-tracing.ts';
import { refuseUnsafeRoles } from '../db/safe-roles.ts';
import { type AddPages, createApp } from './app.ts';
import { apiLog, compose } from './compose.ts';
import { createHttpServer } from './http-server.ts';

/** What is under way may still take so long: a share waits 9 s for its mail. */
const GRACE_MS = 14_000;

/** Runs the API process until a signal ends it. */
export async function serveApi(addPages?: AddPages): Promise<void> {
  const config = readApiConfig();
  if (config.PROFILE === 'production') await refuseUnsafeRoles({ DATABASE_URL: config.DATABASE_URL });
  const tracing = await startTracing({ ...config, service: 'quoting-api' }, apiLog(config));
  const { deps, close } = compose(config, tracing);
  const metrics = serveMetrics(config, deps.apiMetrics, deps.log);
  const handle = createApp(deps, addPages).callback();
  const server = createHttpServer((request, response) => void handle(request, response));
  let stopHeartbeats = () => {};
  server.listen(config.PORT, config.HOST, () => {
    deps.log.info({ host: config.HOST, port: config.PORT }, 'the API listens');
    stopHeartbeats = writeHeartbeats('api', localAddress(config.HOST, config.PORT, '/readyz'));
    reportReady();
  });

  onShutdown(
    async () => {
      // The load balancer needs time to see that /readyz fails before connections are closed.
      deps.draining.begin();
      await sleep(config.DRAIN_SECONDS * 1000);
      server.closeIdleConnections();
      await new Promise((resolve) => {
        server.close(resolve);
      });
      await close();
      await tracing?.stop();
      await metrics.close();
      stopHeartbeats();
    },
    GRACE_MS + config.DRAIN_SECONDS * 1000,
  );
}
