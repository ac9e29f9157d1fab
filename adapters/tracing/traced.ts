import { SpanKind } from '@opentelemetry/api';
import type { Mailer } from '../mail/transport.ts';
import type { OutboundHttp } from '../outbound-http/client.ts';
import type { PdfRenderer } from '../pdf/renderer.ts';
import type { Storage } from '../storage.ts';
import { failSpan, inSpan } from './spans.ts';

/** Adapters with a span around each call. */

/** Calls to addresses of users carry no traceparent: a trace is internal. */
export function tracedOutbound(outbound: OutboundHttp): OutboundHttp {
  return {
    problemOf: (url) => outbound.problemOf(url),
    post: (request) => {
      // The host only: a path may be a secret.
      const attributes = { 'http.request.method': 'POST', 'server.address': hostOf(request.url) };
      return inSpan('outbound POST', { kind: SpanKind.CLIENT, attributes }, async (span) => {
        const answer = await outbound.post(request);
        if (answer.statusCode > 0) span.setAttribute('http.response.status_code', answer.statusCode);
        if (answer.errorCode !== null) failSpan(span, answer.errorCode);
        else if (answer.statusCode >= 400) failSpan(span, String(answer.statusCode));
        return answer;
      });
    },
  };
}

const hostOf = (url: string): string | undefined => (URL.canParse(url) ? new URL(url).host : undefined);

export function tracedMailer(mailer: Mailer): Mailer {
  return {
    send: (message) => inSpan('smtp send', { kind: SpanKind.CLIENT }, () => mailer.send(message)),
    check: () => mailer.check(),
    close: () => mailer.close(),
  };
}

export function tracedPdf(pdf: PdfRenderer): PdfRenderer {
  return {
    render: (...args) => inSpan('pdf render', {}, () => pdf.render(...args)),
    writtenMark: (...args) => inSpan('signature render', {}, () => pdf.writtenMark(...args)),
    close: () => pdf.close(),
  };
}

export function tracedStorage(storage: Storage): Storage {
  const call = <T>(verb: string, work: () => Promise<T>) => inSpan(`storage ${verb}`, { kind: SpanKind.CLIENT }, work);
  return {
    ...storage,
    exists: (key) => call('exists', () => storage.exists(key)),
    put: (key, body, contentType) => call('put', () => storage.put(key, body, contentType)),
    get: (key) => call('get', () => storage.get(key)),
    remove: (key) => call('remove', () => storage.remove(key)),
    list: (after) => call('list', () => storage.list(after)),
  };
}
