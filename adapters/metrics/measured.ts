import { MailMaybeSent, MailRefused, MailUnavailable } from '../mail/failures.ts';
import type { Mailer } from '../mail/transport.ts';
import type { PdfRenderer } from '../pdf/renderer.ts';
import type { EMAIL_RESULTS, ProcessMetrics, WorkerMetrics } from './metrics.ts';

/** A renderer that measures the time of each drawing. */
export const measuredPdf = (pdf: PdfRenderer, { pdf: seconds }: Pick<ProcessMetrics, 'pdf'>): PdfRenderer => ({
  async render(...args) {
    const stop = seconds.startTimer();
    const bytes = await pdf.render(...args);
    stop();
    return bytes;
  },
  writtenMark: (text, permit) => pdf.writtenMark(text, permit),
  close: () => pdf.close(),
});

/** A mailer that counts each mail by its outcome, and each refused one of several recipients. */
export const measuredMailer = (mailer: Mailer, { emails }: Pick<WorkerMetrics, 'emails'>): Mailer => ({
  async send(message, options) {
    let sent;
    try {
      sent = await mailer.send(message, options);
    } catch (error) {
      emails.inc({ result: resultOf(error) });
      throw error;
    }
    emails.inc({ result: 'sent' });
    emails.inc({ result: 'refused' }, sent.rejected.length);
    return sent;
  },
  check: () => mailer.check(),
  close: () => mailer.close(),
});

function resultOf(error: unknown): (typeof EMAIL_RESULTS)[number] {
  if (error instanceof MailUnavailable) return 'unavailable';
  if (error instanceof MailRefused) return 'refused';
  return error instanceof MailMaybeSent ? 'maybe_sent' : 'failed';
}
