import { DefaultLogger, makeTelemetryFilterString, Runtime } from '@temporalio/worker';

// Workers and replays in this process log only unexpected errors; failures that a test causes are warnings to them.
Runtime.install({
  logger: new DefaultLogger('ERROR'),
  telemetryOptions: { logging: { filter: makeTelemetryFilterString({ core: 'ERROR', other: 'ERROR' }) } },
});
