import { type ExportResult, ExportResultCode } from '@opentelemetry/core';
import type { ReadableSpan, SpanExporter, TimedEvent } from '@opentelemetry/sdk-trace-base';
import type { Log } from '../log.ts';
import { allowed } from './attributes.ts';

/**
 * Sends spans on without what may be personal: a trace says where and how long, the log says why. Of an error only its
 * class leaves. Says once in the log when spans begin to get lost, and once when they arrive again.
 */
export function discreetExporter(exporter: SpanExporter, log: Log): SpanExporter {
  let isLosing = false;
  const note = ({ code, error }: ExportResult) => {
    const isLost = code === ExportResultCode.FAILED;
    if (isLost !== isLosing)
      log.warn({ err: error }, isLost ? 'traces are lost: they cannot be sent' : 'traces arrive again');
    isLosing = isLost;
  };
  return {
    export(spans, done) {
      exporter.export(spans.map(discreet), (result) => {
        note(result);
        done(result);
      });
    },
    shutdown: () => exporter.shutdown(),
    forceFlush: () => exporter.forceFlush?.() ?? Promise.resolve(),
  };
}

/** The same span as seen through a narrower window; its own members are read-only. */
function discreet(span: ReadableSpan): ReadableSpan {
  return Object.create(span, {
    attributes: { value: allowed(span.attributes), enumerable: true },
    events: { value: span.events.map(discreetEvent), enumerable: true },
    status: { value: { code: span.status.code }, enumerable: true },
  }) as ReadableSpan;
}

function discreetEvent({ attributes, ...event }: TimedEvent): TimedEvent {
  const type = attributes?.['exception.type'];
  return { ...event, attributes: typeof type === 'string' ? { 'exception.type': type } : {} };
}
