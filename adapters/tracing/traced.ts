import type { Mailer } from '../mail/transport.ts';
import type { OutboundHttp } from '../outbound-http/client.ts';
import type { PdfRenderer } from '../pdf/renderer.ts';
import type { Storage } from '../storage.ts';
import { NO_TRACING, type Tracing } from './tracing.ts';

/** Adapters with a span around each call. Without traces they are handed back as they came. */

/** Calls to addresses of users: traced on our side, and never told of it, for what runs here is nobody else's business. */
export function tracedOutbound(outbound: OutboundHttp, tracing: Tracing): OutboundHttp {
  if (tracing === NO_TRACING) return outbound;
  return {
    problemOf: (url) => outbound.problemOf(url),
    post: (request) => {
      // The host only: a path may be a secret.
      const facts = { 'http.request.method': 'POST', 'server.address': hostOf(request.url) };
      return tracing.span('outbound POST', { kind: 'client', facts }, async (span) => {
        const answer = await outbound.post(request);
        if (answer.statusCode > 0) span.tell({ 'http.response.status_code': answer.statusCode });
        if (answer.errorCode !== null) span.fail(answer.errorCode);
        else if (answer.statusCode >= 400) span.fail(String(answer.statusCode));
        return answer;
      });
    },
  };
}

const hostOf = (url: string): string | undefined => (URL.canParse(url) ? new URL(url).host : undefined);

export function tracedMailer(mailer: Mailer, tracing: Tracing): Mailer {
  if (tracing === NO_TRACING) return mailer;
  return {
    send: (message) => tracing.span('smtp send', { kind: 'client' }, () => mailer.send(message)),
    check: () => mailer.check(),
    close: () => mailer.close(),
  };
}

export function tracedPdf(pdf: PdfRenderer, tracing: Tracing): PdfRenderer {
  if (tracing === NO_TRACING) return pdf;
  return {
    render: (...args) => tracing.span('pdf render', {}, () => pdf.render(...args)),
    writtenMark: (...args) => tracing.span('signature render', {}, () => pdf.writtenMark(...args)),
    close: () => pdf.close(),
  };
}

export function tracedStorage(storage: Storage, tracing: Tracing): Storage {
  if (tracing === NO_TRACING) return storage;
  const call = <T>(verb: string, work: () => Promise<T>) => tracing.span(`storage ${verb}`, { kind: 'client' }, work);
  return {
    ...storage,
    exists: (key) => call('exists', () => storage.exists(key)),
    put: (key, body, contentType) => call('put', () => storage.put(key, body, contentType)),
    get: (key) => call('get', () => storage.get(key)),
    remove: (key) => call('remove', () => storage.remove(key)),
    list: (after) => call('list', () => storage.list(after)),
  };
}
