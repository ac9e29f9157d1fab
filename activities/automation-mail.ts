import { MailMaybeSent, MailRefused } from '../adapters/mail/failures.ts';
import type { Mailbox, MailMessage } from '../adapters/mail/message.ts';
import { messageIdOf } from '../adapters/mail/quote-mail.ts';
import { composeTextMail } from '../adapters/mail/text-mail.ts';
import { Tenant } from '../db/models/tenant.ts';
import { User } from '../db/models/user.ts';
import type { FullQuote } from '../db/reads/full-quote.ts';
import { sellerOf } from '../db/reads/seller.ts';
import { finishAction, isActionDone } from '../db/writes/action-ledger.ts';
import type { TenantTransaction } from '../db/with-tenant.ts';
import { assertNever } from '../domain/assert-never.ts';
import { renderLine, renderText } from '../domain/template-text.ts';
import { failures } from '../workflows/failures.ts';
import { countedAttempt } from './action-attempts.ts';
import { type ActionOf, type ActionRef, factsOf, readAction } from './automation-action.ts';
import { permanent } from './permanent-failure.ts';
import { sendCounted } from './mail-allowance.ts';
import { type Deliver, mailStep } from './mail-step.ts';
import { withPermit } from './permits.ts';
import { MAX_PAUSE_MS } from './throttled.ts';
import type { ActivityDeps } from './deps.ts';

/** A recipient; `part` identifies them in the run's record. */
interface Recipient extends Mailbox {
  readonly part: string;
}

export const createAutomationMailActivities = ({
  withTenant,
  mailer,
  log,
  mailFrom,
  mailQuota,
  permits: { automaticMail },
  ...deps
}: Pick<
  ActivityDeps,
  'withTenant' | 'secrets' | 'publicUrl' | 'mailer' | 'log' | 'mailFrom' | 'mailQuota' | 'permits'
>) => {
  /** The mails that are yet to be sent. */
  const prepare = (ref: ActionRef) =>
    withTenant(ref.tenantId, async (trx) => {
      const { action, quote } = await readAction(trx, ref, 'send_email');
      const recipients = await recipientsOf(trx, ref.tenantId, action, quote);
      const facts = await factsOf(trx, quote, deps);
      const business = await Tenant.query(trx).findById(ref.tenantId).throwIfNotFound();
      const seller = await sellerOf(trx, quote, business);
      const waiting: { part: string; message: MailMessage }[] = [];
      for (const { part, ...to } of recipients) {
        if (await isActionDone(trx, { ...ref, part })) continue;
        waiting.push({
          part,
          message: composeTextMail({
            business,
            to,
            replyTo: { name: seller.name, address: seller.email },
            subject: renderLine(action.subject, facts),
            body: renderText(action.body, facts),
            // The same for each attempt, so that a copy after a crash is recognised.
            messageId: messageIdOf('auto', `${ref.logId}.${ref.index}${part && `.${part}`}`, mailFrom),
          }),
        });
      }
      return waiting;
    });

  async function sendAll(ref: ActionRef, deliver: Deliver): Promise<void> {
    const errors: unknown[] = [];
    for (const { part, message } of await prepare(ref)) {
      try {
        // An attempt that Temporal took for lost may have sent it since.
        if (await withTenant(ref.tenantId, (trx) => isActionDone(trx, { ...ref, part }))) continue;
        await sendCounted({ withTenant, mailQuota, log }, ref.tenantId, () =>
          deliver(async () => {
            await mailer.send(message);
            await withTenant(ref.tenantId, (trx) => finishAction(trx, { ...ref, part }));
          }),
        );
      } catch (error) {
        errors.push(error);
      }
    }
    // What may pass is tried again; only when nothing else is left is it over.
    const [first] = errors.toSorted((a, b) => Number(isPermanent(a)) - Number(isPermanent(b)));
    if (first !== undefined) throw asFailure(first);
  }

  return {
    /** send_email: one mail for each recipient. One that is refused does not keep the others from theirs. */
    sendAutomationEmail: mailStep((ref: ActionRef, deliver) =>
      withPermit({ queue: automaticMail, tenantId: ref.tenantId, maxPauseMs: MAX_PAUSE_MS.inBackground }, () =>
        countedAttempt({ withTenant }, ref, () => sendAll(ref, deliver)),
      ),
    ),
  };
};
export type AutomationMailActivities = ReturnType<typeof createAutomationMailActivities>;

async function recipientsOf(
  trx: TenantTransaction,
  tenantId: string,
  action: ActionOf<'send_email'>,
  quote: FullQuote,
): Promise<readonly Recipient[]> {
  switch (action.to) {
    case 'client': {
      const { contactName, email } = quote.client;
      if (!email) throw permanent(failures.noRecipient, 'el cliente no tiene correo electrónico');
      return [{ part: '', name: contactName, address: email }];
    }
    case 'owner': {
      const owners = await User.query(trx).where({ tenantId, role: 'OWNER', isActive: true }).orderBy('createdAt');
      if (owners.length === 0) throw permanent(failures.noRecipient, 'el negocio no tiene dueños activos');
      return owners.map(({ id, name, email }) => ({ part: id, name, address: email }));
    }
    case 'custom': {
      if (!action.customEmail) throw permanent(failures.noRecipient, 'la acción no tiene destinatario');
      return [{ part: '', name: '', address: action.customEmail }];
    }
    default:
      return assertNever(action.to);
  }
}

const isPermanent = (error: unknown): boolean => error instanceof MailRefused || error instanceof MailMaybeSent;

/** A refusal, and a message that may have been sent, are final; an unavailable dependency is retried. */
function asFailure(error: unknown): unknown {
  if (error instanceof MailRefused)
    return permanent(failures.smtpRefused, 'el servidor de correo rechazó el mensaje', error);
  if (error instanceof MailMaybeSent) return permanent(failures.smtpMaybeSent, 'no se sabe si el correo salió', error);
  return error;
}
