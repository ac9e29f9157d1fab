import type { ShareInput, ShareResult } from './contract.ts';
import { failureOf } from './failure-of.ts';
import { failures } from './failures.ts';
import { documentActivities, mailActivities, recordActivities } from './policies.ts';

// A quote that is revised while it is being mailed is drawn again; nobody revises this often in one share.
const DRAWINGS = 3;

/** Puts the PDF in storage, mails it to the client, then moves the quote to SENT. */
export async function sendQuote(input: ShareInput): Promise<ShareResult> {
  try {
    for (let drawing = 1; drawing <= DRAWINGS; drawing += 1) {
      const pdf = await documentActivities.ensureQuotePdf.executeWithOptions({ summary: 'Generar y guardar el PDF' }, [
        input.quote,
      ]);
      const { mailed } = await mailActivities.sendQuoteMail.executeWithOptions(
        { summary: 'Enviar el correo al cliente' },
        [{ ...input, storageKey: pdf.storageKey }],
      );
      if (!mailed) continue;
      // Only now: a quote whose mail was refused must stay GENERATED.
      await recordActivities.markQuoteSent.executeWithOptions({ summary: 'Marcar como enviada' }, [input]);
      return { outcome: 'sent' };
    }
    return { outcome: 'unavailable' };
  } catch (error) {
    return resultOf(error);
  }
}

/** The result of a share whose activity failed permanently. */
function resultOf(error: unknown): ShareResult {
  switch (failureOf(error)?.type) {
    case failures.smtpRefused:
    case failures.smtpMaybeSent:
    case failures.smtpUnavailable:
      return { outcome: 'mail_failed' };
    case failures.documentUnavailable:
      return { outcome: 'unavailable' };
    case failures.quoteGone:
      return { outcome: 'refused', reason: 'quote_not_found' };
    case failures.clientHasNoEmail:
      return { outcome: 'refused', reason: 'client_has_no_email' };
    default:
      throw error;
  }
}
