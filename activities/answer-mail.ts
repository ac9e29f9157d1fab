import { ApplicationFailure } from '@temporalio/common';
import { composeAnswerMail } from '../adapters/mail/answer-mail.ts';
import { messageIdOf } from '../adapters/mail/quote-mail.ts';
import { readSignedPdf } from '../adapters/signed-pdf.ts';
import type { WaitingAnswerMail } from '../db/reads/answer-mail.ts';
import type { MailRef, MailResult } from '../workflows/contract.ts';
import { retriedFailures } from '../workflows/failures.ts';
import { mailLogo } from './client-mail.ts';
import type { ActivityDeps } from './deps.ts';
import { sendCounted } from './mail-allowance.ts';
import { mailFailure } from './mail-outcomes.ts';
import type { Deliver } from './mail-step.ts';

/** No request waits for it, so an unavailable mail server has a day to recover. */
const GIVE_UP_AFTER_MS = 24 * 60 * 60 * 1000;

type Deps = Pick<ActivityDeps, 'withTenant' | 'storage' | 'reportLoss' | 'mailer' | 'log' | 'mailFrom' | 'mailQuota'>;

/** Sends a mail about a client's answer; a member who is no longer active gets none. */
export async function sendAnswerMail(
  { withTenant, storage, reportLoss, mailer, log, mailFrom, mailQuota }: Deps,
  { tenantId, mailId }: MailRef,
  { kind, answer, drawing, signed, to }: WaitingAnswerMail,
  deliver: Deliver,
): Promise<MailResult> {
  if (!to) return { outcome: 'given_up', reason: 'recipient_gone' };
  try {
    const pdf = signed ? await readSignedPdf(storage, signed, reportLoss) : null;
    const logo = await mailLogo(storage, drawing);
    const messageId = messageIdOf('answer', mailId, mailFrom);
    const mail = composeAnswerMail({ kind, answer, drawing, to, pdf, logo, messageId });
    await sendCounted({ withTenant, mailQuota, log }, tenantId, () => deliver(() => mailer.send(mail)));
    return { outcome: 'sent' };
  } catch (error) {
    // Over the quota it waits, however long.
    if (error instanceof ApplicationFailure && error.type === retriedFailures.mailQuotaReached) throw error;
    throw mailFailure(error, { log, afterMs: GIVE_UP_AFTER_MS });
  }
}
