import { createRequire } from 'node:module';
import { setTimeout as sleep } from 'node:timers/promises';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { PgInstrumentation } from '@opentelemetry/instrumentation-pg';
import { Resource } from '@opentelemetry/resources';
import { BatchSpanProcessor, NodeTracerProvider } from '@opentelemetry/sdk-trace-node';
import { OpenTelemetryWorkflowClientInterceptor } from '@temporalio/interceptors-opentelemetry/lib/client/index.js';
import {
  makeWorkflowExporter,
  OpenTelemetryActivityInboundInterceptor,
} from '@temporalio/interceptors-opentelemetry/lib/worker/index.js';
import type { ActivityInterceptorsFactory } from '@temporalio/worker';
import type { Log } from '../log.ts';
import { discreetExporter } from './discreet-exporter.ts';

/** The SDK. Its own variables (OTEL_TRACES_SAMPLER, …) hold as its documents say. */

/** How long a stopping process waits until the last spans are sent. */
const FLUSH_MS = 2_000;

export interface OpenTelemetryOptions {
  /** Of an OTLP/HTTP receiver, without `/v1/traces`. */
  readonly endpoint: string;
  readonly service: string;
  readonly log: Log;
}

export type TracingSdk = Awaited<ReturnType<typeof startOpenTelemetry>>;

/** Registers the SDK for this process, and returns what Temporal's client and workers need to pass traces on. */
export async function startOpenTelemetry({ endpoint, service, log }: OpenTelemetryOptions) {
  const resource = new Resource({ 'service.name': service, 'process.pid': process.pid });
  const exporter = new OTLPTraceExporter({ url: `${endpoint.replace(/\/+$/, '')}/v1/traces` });
  const processor = new BatchSpanProcessor(discreetExporter(exporter, log));
  const provider = new NodeTracerProvider({ resource, spanProcessors: [processor] });
  // Registers a context manager that follows awaits, and traceparent as the form in which contexts are stored.
  provider.register();
  patchPostgres(provider);
  const activity: ActivityInterceptorsFactory = (context) => ({
    inbound: new OpenTelemetryActivityInboundInterceptor(context),
  });
  return {
    clientInterceptors: [new OpenTelemetryWorkflowClientInterceptor()],
    activityInterceptors: [activity],
    /** Takes spans out of the workflow sandbox. */
    sinks: { exporter: makeWorkflowExporter(processor, resource) },
    /** Sends what was not sent yet; a receiver that hangs does not keep the process from ending. */
    stop: () => Promise.race([provider.shutdown(), sleep(FLUSH_MS, undefined, { ref: false })]).catch(() => undefined),
  };
}

/** Spans for statements, below a span of ours: the dispatcher's polls would be a trace each second. */
function patchPostgres(provider: NodeTracerProvider): void {
  const instrumentation = new PgInstrumentation({ requireParentSpan: true });
  instrumentation.setTracerProvider(provider);
  // It patches the driver as it is required, once, in place; others may have imported it already, or Knex will later.
  createRequire(import.meta.url)('pg');
}
