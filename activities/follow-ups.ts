import { activityInfo } from '@temporalio/activity';
import { composeFollowUpMail } from '../adapters/mail/follow-up-mail.ts';
import { messageIdOf } from '../adapters/mail/quote-mail.ts';
import { ExpiryReminder } from '../db/models/expiry-reminder.ts';
import { Quote } from '../db/models/quote.ts';
import { Tenant } from '../db/models/tenant.ts';
import { sealedPortalToken } from '../db/reads/portal-token.ts';
import { readQuoteDrawing } from '../db/reads/quote-drawing.ts';
import { lastRecipients, withClient } from '../db/reads/share-recipients.ts';
import { claimFollowUp, closeFollowUpMail, isFollowUpDue } from '../db/writes/follow-ups.ts';
import type { TenantTransaction } from '../db/with-tenant.ts';
import { mailLogo, portalAddress } from './client-mail.ts';
import { type ExpiryDeps, type MomentRef, throttle, type VersionRef, WAIT_FOR_DEFERRED_MS } from './expiry.ts';
import { sendCounted } from './mail-allowance.ts';
import { mailFailure } from './mail-outcomes.ts';
import { type Deliver, mailStep } from './mail-step.ts';
import { withPermit } from './permits.ts';
import { MAX_PAUSE_MS } from './throttled.ts';

/** A follow-up of a version, by its days after the share. */
export interface FollowUpRef extends VersionRef {
  readonly day: number;
}

/** A follow-up that is later than this is none. */
const GIVE_UP_AFTER_MS = 24 * 60 * 60 * 1000;

export const createFollowUpActivities = ({
  withTenant,
  mailer,
  log,
  mailFrom,
  mailQuota,
  storage,
  permits: { automaticMail },
  momentLimiter,
  ...deps
}: ExpiryDeps) => {
  async function send(ref: FollowUpRef, deliver: Deliver): Promise<{ readonly mailed: boolean }> {
    const { tenantId, quoteId, version, day } = ref;
    try {
      const due = await withTenant(tenantId, (trx) => readDue(trx, ref), { isSnapshot: true });
      if (!due) return { mailed: false };
      const { drawing, shareId, sealedToken } = due;
      const recipients = withClient(due.to ? { to: due.to, cc: [] } : null, drawing);
      if (recipients.to.length === 0) return { mailed: false };
      const portalUrl = portalAddress(deps, quoteId, sealedToken);
      // Without a page there is no way to stop the mails.
      if (portalUrl === null) return { mailed: false };
      const mail = composeFollowUpMail({
        drawing,
        logo: await mailLogo(storage, drawing),
        portalUrl,
        messageId: messageIdOf('followup', `${quoteId}.v${version}.d${day}`, mailFrom),
        inReplyTo: messageIdOf('share', shareId, mailFrom),
        recipients,
      });
      const skipDeferred = Date.now() - activityInfo().scheduledTimestampMs >= WAIT_FOR_DEFERRED_MS;
      await sendCounted(
        { withTenant, mailQuota, log },
        tenantId,
        () => deliver(() => mailer.send(mail, { skipDeferred })),
        recipients.to.length,
      );
      return { mailed: true };
    } catch (error) {
      throw mailFailure(error, { log, afterMs: GIVE_UP_AFTER_MS });
    }
  }

  return {
    /** Claims a follow-up whose time has come; does nothing when the time moved or the quote was answered. */
    async takeFollowUp({ tenantId, quoteId, version, day, at }: MomentRef & { readonly day: number }): Promise<void> {
      throttle(momentLimiter, tenantId);
      await withTenant(tenantId, (trx) => claimFollowUp(trx, { quoteId, version, day, at: new Date(at) }));
    },

    /** Mails a claimed follow-up, while it is still right. */
    sendFollowUpMail: mailStep((ref: FollowUpRef, deliver) =>
      withPermit({ queue: automaticMail, tenantId: ref.tenantId, maxPauseMs: MAX_PAUSE_MS.inBackground }, () =>
        send(ref, deliver),
      ),
    ),

    /** How the mail of a follow-up ended. */
    async closeFollowUpMail(ref: FollowUpRef & { readonly mail: 'SENT' | 'FAILED' | 'SKIPPED' }): Promise<void> {
      await withTenant(ref.tenantId, (trx) => closeFollowUpMail(trx, ref));
    },
  };
};
export type FollowUpActivities = ReturnType<typeof createFollowUpActivities>;

/** What the mail shows; undefined when it is not to be sent any more. */
async function readDue(trx: TenantTransaction, { tenantId, quoteId, version, day }: FollowUpRef) {
  const quote = await Quote.query(trx)
    .findOne({ tenantId, id: quoteId, version, status: 'SENT' })
    .where('expiresAt', '>=', new Date());
  if (!quote?.shareId) return undefined;
  const tenant = await Tenant.query(trx).findById(tenantId).throwIfNotFound();
  const reminder = await ExpiryReminder.query(trx).findOne({ tenantId, quoteId, version });
  if (!(await isFollowUpDue(trx, { quote, tenant, remindAt: reminder?.remindAt ?? null, day }))) return undefined;
  const drawing = await readQuoteDrawing(trx, quoteId);
  if (!drawing) return undefined;
  const to = await lastRecipients(trx, quoteId);
  return { drawing, to, shareId: quote.shareId, sealedToken: await sealedPortalToken(trx, quoteId) };
}
