import { composeAccountMail } from '../adapters/mail/account-mail.ts';
import { MailRefused } from '../adapters/mail/failures.ts';
import { composeSecurityMail } from '../adapters/mail/security-mail.ts';
import { messageIdOf } from '../adapters/mail/quote-mail.ts';
import { readWaitingMail } from '../db/reads/account-mail.ts';
import { readAnswerMail } from '../db/reads/answer-mail.ts';
import { isTenantDisabled } from '../db/reads/disabled-tenant.ts';
import { readSecurityMail } from '../db/reads/security-mail.ts';
import { closeMail } from '../db/writes/close-mail.ts';
import type { MailRef, MailResult } from '../workflows/contract.ts';
import { failures } from '../workflows/failures.ts';
import { sendAnswerMail } from './answer-mail.ts';
import { mailStep } from './mail-step.ts';
import { messageMail } from './message-mail.ts';
import { giveUpMailAfter } from './mail-outcomes.ts';
import { withPermit } from './permits.ts';
import { MAX_PAUSE_MS } from './throttled.ts';
import { permanent } from './permanent-failure.ts';
import type { ActivityDeps } from './deps.ts';

/** No request waits for it, so an unavailable mail server has a day to recover. */
const GIVE_UP_AFTER_MS = 24 * 60 * 60 * 1000;

type AccountMailDeps = Pick<
  ActivityDeps,
  | 'withTenant'
  | 'secrets'
  | 'mailer'
  | 'log'
  | 'mailFrom'
  | 'publicUrl'
  | 'permits'
  | 'storage'
  | 'reportLoss'
  | 'mailQuota'
>;

export const createAccountMailActivities = ({
  withTenant,
  storage,
  secrets,
  mailer,
  log,
  mailFrom,
  publicUrl,
  permits: { requestedMail, automaticMail },
  ...deps
}: AccountMailDeps) => {
  async function sendOther(ref: MailRef): Promise<MailResult> {
    const { tenantId, mailId } = ref;
    const security = await withTenant(tenantId, (trx) => readSecurityMail(trx, mailId));
    if (security) {
      await mailer.send(composeSecurityMail(security, messageIdOf('account', mailId, mailFrom)));
      return { outcome: 'sent' };
    }
    const mail = await messageMail({ withTenant, storage, secrets, publicUrl, mailFrom }, ref);
    if (mail === undefined) return { outcome: 'skipped' };
    if (mail === 'recipient_gone') return { outcome: 'given_up', reason: mail };
    await mailer.send(mail);
    return { outcome: 'sent' };
  }

  async function send({ tenantId, mailId }: MailRef): Promise<MailResult> {
    try {
      const mail = await withTenant(tenantId, (trx) => readWaitingMail(trx, mailId));
      if (!mail) return await sendOther({ tenantId, mailId });
      if (!mail.isLinkAlive) return { outcome: 'given_up', reason: 'link_over' };
      const token = secrets.open(mail.tokenSealed, { purpose: 'one_time_token', rowId: mailId });
      await mailer.send(
        composeAccountMail({ mail, token, publicUrl, messageId: messageIdOf('account', mailId, mailFrom) }),
      );
      return { outcome: 'sent' };
    } catch (error) {
      if (error instanceof MailRefused) throw permanent(failures.smtpRefused, error.message, error);
      // A mail that may have been sent is sent again, with the same Message-ID: a second copy is harmless, a lost one locks a
      // user out or loses what a client wrote.
      throw giveUpMailAfter(error, { log, afterMs: GIVE_UP_AFTER_MS });
    }
  }

  const step = mailStep(async (mail: MailRef, deliver): Promise<{ mailed: boolean; result: MailResult }> => {
    const { tenantId, mailId } = mail;
    if (await withTenant(tenantId, isTenantDisabled))
      return { mailed: false, result: { outcome: 'given_up', reason: 'recipient_gone' } };
    const answer = await withTenant(tenantId, (trx) => readAnswerMail(trx, mailId), { isSnapshot: true });
    const queue = answer ? automaticMail : requestedMail;
    return withPermit({ queue, tenantId, maxPauseMs: MAX_PAUSE_MS.inBackground }, async () => {
      // A second copy of a mail about an account is harmless, so it is never in doubt.
      if (!answer) return { mailed: true, result: await send(mail) };
      const result = await sendAnswerMail(
        { withTenant, storage, mailer, log, mailFrom, ...deps },
        mail,
        answer,
        deliver,
      );
      return { mailed: result.outcome === 'sent', result };
    });
  });

  return {
    /**
     * Sends a pending mail, about an account, an answer or a message. One that was sent or given up is skipped; one whose link is no longer valid, or whose recipient
     * is gone or whose business is disabled, is given up.
     */
    sendAccountMail: async (mail: MailRef): Promise<MailResult> => (await step(mail)).result,

    /** How a mail ended: sent, or given up for that reason. */
    async closeMail({ tenantId, mailId, failure }: MailRef & { readonly failure: string | null }): Promise<void> {
      await withTenant(tenantId, (trx) => closeMail(trx, mailId, failure));
    },
  };
};
export type AccountMailActivities = ReturnType<typeof createAccountMailActivities>;
