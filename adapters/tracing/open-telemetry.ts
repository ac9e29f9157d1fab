import { createRequire } from 'node:module';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Context, context, propagation, ROOT_CONTEXT, SpanKind, SpanStatusCode, trace } from '@opentelemetry/api';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { PgInstrumentation } from '@opentelemetry/instrumentation-pg';
import { Resource } from '@opentelemetry/resources';
import { BatchSpanProcessor, NodeTracerProvider } from '@opentelemetry/sdk-trace-node';
import { OpenTelemetryWorkflowClientInterceptor } from '@temporalio/interceptors-opentelemetry/lib/client/index.js';
import type { Log } from '../log.ts';
import { discreetExporter } from './discreet-exporter.ts';
import type { Facts, Span, Tracing } from './tracing.ts';
import { workerTracing } from './worker-tracing.ts';

/** Loaded only when traces are wanted. The SDK's own variables (OTEL_TRACES_SAMPLER, …) hold as its documents say. */

/** What the last spans may take to be sent when the process stops. */
const FLUSH_MS = 2_000;

const KINDS = {
  internal: SpanKind.INTERNAL,
  server: SpanKind.SERVER,
  client: SpanKind.CLIENT,
  producer: SpanKind.PRODUCER,
  consumer: SpanKind.CONSUMER,
} as const;

export interface OpenTelemetryOptions {
  /** Of an OTLP/HTTP receiver, without `/v1/traces`. */
  readonly endpoint: string;
  readonly service: string;
  readonly log: Log;
}

export async function startOpenTelemetry({ endpoint, service, log }: OpenTelemetryOptions): Promise<Tracing> {
  const resource = new Resource({ 'service.name': service, 'process.pid': process.pid });
  const exporter = new OTLPTraceExporter({ url: `${endpoint.replace(/\/+$/, '')}/v1/traces` });
  const processor = new BatchSpanProcessor(discreetExporter(exporter, log));
  const provider = new NodeTracerProvider({ resource, spanProcessors: [processor] });
  // Contexts follow awaits; traceparent is the one form in which they are written down.
  provider.register();
  patchPostgres(provider);
  const tracer = trace.getTracer('quoting');

  function within<T>(
    parent: Context,
    name: string,
    { kind, facts }: { readonly kind: SpanKind; readonly facts?: Facts | undefined },
    work: (span: Span) => Promise<T>,
  ): Promise<T> {
    return tracer.startActiveSpan(name, { kind }, parent, async (span) => {
      const handle: Span = {
        tell(more, better) {
          for (const [fact, value] of Object.entries(more)) if (value !== undefined) span.setAttribute(fact, value);
          if (better !== undefined) span.updateName(better);
        },
        fail(why) {
          span.setAttribute('error.type', why);
          span.setStatus({ code: SpanStatusCode.ERROR });
        },
      };
      handle.tell(facts ?? {});
      try {
        return await work(handle);
      } catch (error) {
        handle.fail(error instanceof Error ? error.name : 'unknown');
        throw error;
      } finally {
        span.end();
      }
    });
  }

  return {
    span: (name, { kind = 'internal', facts }, work) =>
      within(context.active(), name, { kind: KINDS[kind], facts }, work),
    resume(name, traceparent, work) {
      if (!traceparent) return work();
      const parent = propagation.extract(ROOT_CONTEXT, { traceparent });
      return within(parent, name, { kind: SpanKind.CONSUMER }, work);
    },
    traceparent() {
      const carrier: { traceparent?: string } = {};
      propagation.inject(context.active(), carrier);
      return carrier.traceparent ?? null;
    },
    logMembers() {
      const here = trace.getSpanContext(context.active());
      return here ? { traceId: here.traceId, spanId: here.spanId } : {};
    },
    clientInterceptors: [new OpenTelemetryWorkflowClientInterceptor()],
    worker: workerTracing(processor, resource),
    // A receiver that is away, or hangs, does not keep a process from ending well.
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
