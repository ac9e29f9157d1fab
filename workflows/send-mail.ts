import { setCurrentDetails, workflowInfo } from '@temporalio/workflow';
import { utcText } from '../domain/utc-text.ts';
import type { MailRef, MailResult } from './contract.ts';
import { failureOf } from './failure-of.ts';
import { failures } from './failures.ts';
import { accountMailActivities, mailRecordActivities } from './policies.ts';

const DAY_MS = 24 * 60 * 60 * 1000;

/** One mail about an account, an answer or a message: tried for a day, then given up; refused, given up immediately. The row says how it ended. */
export async function sendMail(mail: MailRef): Promise<MailResult> {
  const end = utcText(workflowInfo().startTime.getTime() + DAY_MS);
  setCurrentDetails(`Espera a que el servidor de correo acepte el mensaje; se intenta hasta el ${end}`);
  const result = await attempt(mail);
  if (result.outcome === 'skipped') return result;
  const failure = result.outcome === 'given_up' ? result.reason : null;
  await mailRecordActivities.closeMail.executeWithOptions({ summary: 'Anotar cómo terminó' }, [{ ...mail, failure }]);
  return result;
}

async function attempt(mail: MailRef): Promise<MailResult> {
  try {
    return await accountMailActivities.sendAccountMail.executeWithOptions({ summary: 'Enviar el correo' }, [mail]);
  } catch (error) {
    const type = failureOf(error)?.type;
    if (type === failures.smtpRefused) return { outcome: 'given_up', reason: 'refused' };
    // The server did not confirm it: another copy is worse than a mail in doubt.
    if (type === failures.smtpMaybeSent) return { outcome: 'given_up', reason: 'maybe_sent' };
    if (type === failures.smtpUnavailable) return { outcome: 'given_up', reason: 'unavailable' };
    throw error;
  }
}
