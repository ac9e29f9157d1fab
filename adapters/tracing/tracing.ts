import type { WorkflowClientInterceptor } from '@temporalio/client';
import type { ActivityInterceptorsFactory, WorkerOptions } from '@temporalio/worker';
import type { WorkerConfig } from '../config.ts';
import type { Log } from '../log.ts';

/**
 * Traces: what a request caused, in all processes, as one tree of timed spans. Off unless the environment names where
 * they go; then nothing of it is loaded, and every function here does nothing but call what it is given.
 */

export type SpanKind = 'internal' | 'server' | 'client' | 'producer' | 'consumer';

/** Facts of a span. Only names in `attributes.ts` leave the process, and no words of people are among them. */
export type Facts = Readonly<Record<string, string | number | undefined>>;

export interface Span {
  /** Adds facts, and a better name once it is known. */
  tell(facts: Facts, name?: string): void;
  /** Marks it as failed: a word of ours for why, such as an error's class. */
  fail(why: string): void;
}

export interface SpanOptions {
  readonly kind?: SpanKind;
  readonly facts?: Facts;
}

export interface Tracing {
  /** Runs the work in a span below the one that it is called in. An error that is thrown marks the span. */
  span<T>(name: string, options: SpanOptions, work: (span: Span) => Promise<T>): Promise<T>;
  /**
   * Runs the work in a span of the trace that somebody wrote down with `traceparent()`, however long ago. Null: whatever
   * it is of was written while there were no traces, and the work is done without one.
   */
  resume<T>(name: string, traceparent: string | null | undefined, work: () => Promise<T>): Promise<T>;
  /** Where we are, in the W3C's form, for whoever takes it up later; null outside of any span. */
  readonly traceparent: () => string | null;
  /** Members that connect a log line with its trace. */
  readonly logMembers: () => { readonly traceId?: string; readonly spanId?: string };
  /** For Temporal's client. */
  readonly clientInterceptors: WorkflowClientInterceptor[];
  /** For Temporal's workers; undefined: theirs must run the plain bundle. */
  readonly worker: WorkerTracing | undefined;
  /** Sends what was not sent yet. */
  stop(): Promise<void>;
}

export interface WorkerTracing {
  readonly activity: ActivityInterceptorsFactory;
  /** Takes spans out of the workflow sandbox. */
  readonly sinks: NonNullable<WorkerOptions['sinks']>;
}

const NO_SPAN: Span = { tell: () => undefined, fail: () => undefined };

export const NO_TRACING: Tracing = {
  span: (_name, _options, work) => work(NO_SPAN),
  resume: (_name, _traceparent, work) => work(),
  traceparent: () => null,
  logMembers: () => ({}),
  clientInterceptors: [],
  worker: undefined,
  stop: () => Promise.resolve(),
};

export interface TracingConfig extends Pick<WorkerConfig, 'OTEL_EXPORTER_OTLP_ENDPOINT'> {
  /** The process, as the trace names it. */
  readonly service: 'quoting-api' | 'quoting-worker';
}

/** Starts tracing if the environment says where to. Before the first connection: the database's driver is patched. */
export async function startTracing(
  { OTEL_EXPORTER_OTLP_ENDPOINT: endpoint, service }: TracingConfig,
  log: Log,
): Promise<Tracing> {
  if (endpoint === undefined) return NO_TRACING;
  const { startOpenTelemetry } = await import('./open-telemetry.ts');
  return startOpenTelemetry({ endpoint, service, log });
}
