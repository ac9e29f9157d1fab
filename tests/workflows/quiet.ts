import { DefaultLogger, makeTelemetryFilterString, Runtime } from '@temporalio/worker';

// Workers and replays in this process say only what is wrong; failures that a test wants are warnings to them.
Runtime.install({
  logger: new DefaultLogger('ERROR'),
  telemetryOptions: { logging: { filter: makeTelemetryFilterString({ core: 'ERROR', other: 'ERROR' }) } },
});
