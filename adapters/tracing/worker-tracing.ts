import type { Resource } from '@opentelemetry/resources';
import type { SpanProcessor } from '@opentelemetry/sdk-trace-base';
import {
  makeWorkflowExporter,
  OpenTelemetryActivityInboundInterceptor,
} from '@temporalio/interceptors-opentelemetry/lib/worker/index.js';
import type { WorkerTracing } from './tracing.ts';

/** Goes on in activities with the trace of who scheduled them, and takes workflows' spans out of the sandbox. */
export const workerTracing = (processor: SpanProcessor, resource: Resource): WorkerTracing => ({
  activity: (context) => ({ inbound: new OpenTelemetryActivityInboundInterceptor(context) }),
  sinks: { exporter: makeWorkflowExporter(processor, resource) },
});
