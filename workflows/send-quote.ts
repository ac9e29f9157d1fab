import { patched } from '@temporalio/workflow';
import type { ShareInput, ShareResult } from './contract.ts';
import { failureOf } from './failure-of.ts';
import { failures } from './failures.ts';
import { documentActivities, mailActivities, recordActivities } from './policies.ts';

// A quote that is revised while it is being mailed is drawn again; nobody revises this often in one share.
const DRAWINGS = 3;

/** Puts the PDF in storage, mails it, then moves the quote to SENT. */
export async function sendQuote(input: ShareInput): Promise<ShareResult> {
  try {
    const result = await mailQuote(input);
    if (result.outcome !== 'sent') await close(input);
    return result;
  } catch (error) {
    await close(input);
    return resultOf(error);
  }
}

async function mailQuote(input: ShareInput): Promise<ShareResult> {
  for (let drawing = 1; drawing <= DRAWINGS; drawing += 1) {
    const pdf = await documentActivities.ensureQuotePdf.executeWithOptions({ summary: 'Generar y guardar el PDF' }, [
      input.quote,
    ]);
    const { mailed, rejected } = await mailActivities.sendQuoteMail.executeWithOptions(
      { summary: 'Enviar el correo al cliente' },
      [{ ...input, storageKey: pdf.storageKey }],
    );
    if (!mailed) continue;
    // Only now: a quote whose mail was refused must stay GENERATED.
    await recordActivities.markQuoteSent.executeWithOptions({ summary: 'Marcar como enviada' }, [
      rejected ? { ...input, rejected } : input,
    ]);
    return { outcome: 'sent' };
  }
  return { outcome: 'unavailable' };
}

/** Executions that failed a share before its row existed have no such step in their histories. */
async function close(input: ShareInput): Promise<void> {
  if (!patched('close-share')) return;
  await recordActivities.closeShare.executeWithOptions({ summary: 'Anotar que no se envió' }, [input]);
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
    case failures.clientChanged:
      return { outcome: 'refused', reason: 'client_changed' };
    default:
      throw error;
  }
}
