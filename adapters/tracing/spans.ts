import {
  type Attributes,
  context,
  propagation,
  ROOT_CONTEXT,
  type Span,
  SpanKind,
  SpanStatusCode,
  trace,
} from '@opentelemetry/api';

/** Spans by the OpenTelemetry API, which does nothing until `startTracing` has registered the SDK. */

const tracer = trace.getTracer('quoting');

export interface SpanOptions {
  readonly kind?: SpanKind;
  /** Only names in `attributes.ts` leave the process. */
  readonly attributes?: Attributes;
}

/** Runs the work in a span below the current one. An error that the work throws marks the span as failed. */
export function inSpan<T>(
  name: string,
  options: SpanOptions,
  work: (span: Span) => Promise<T>,
  parent = context.active(),
): Promise<T> {
  return tracer.startActiveSpan(name, options, parent, async (span) => {
    try {
      return await work(span);
    } catch (error) {
      failSpan(span, error instanceof Error ? error.name : 'unknown');
      throw error;
    } finally {
      span.end();
    }
  });
}

/** @param reason a class of error or a status, never a message: it may quote personal data */
export function failSpan(span: Span, reason: string): void {
  span.setAttribute('error.type', reason).setStatus({ code: SpanStatusCode.ERROR });
}

/** Runs the work in a span of the trace that a stored traceparent names; without one, in no span. */
export function resumeTrace<T>(
  name: string,
  traceparent: string | null | undefined,
  work: () => Promise<T>,
): Promise<T> {
  if (!traceparent) return work();
  return inSpan(name, { kind: SpanKind.CONSUMER }, work, propagation.extract(ROOT_CONTEXT, { traceparent }));
}

/** The current span in the W3C's form, to be stored; null outside of any span. */
export function currentTraceparent(): string | null {
  const carrier: { traceparent?: string } = {};
  propagation.inject(context.active(), carrier);
  return carrier.traceparent ?? null;
}

/** Members that connect a log line with its trace. */
export function traceMembers(): { readonly traceId?: string; readonly spanId?: string } {
  const current = trace.getActiveSpan()?.spanContext();
  return current ? { traceId: current.traceId, spanId: current.spanId } : {};
}
