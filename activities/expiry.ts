import { activityInfo } from '@temporalio/activity';
import { ApplicationFailure, ApplicationFailureCategory } from '@temporalio/common';
import { composeExpiryMail } from '../adapters/mail/expiry-mail.ts';
import { messageIdOf } from '../adapters/mail/quote-mail.ts';
import { ExpiryReminder } from '../db/models/expiry-reminder.ts';
import { Quote } from '../db/models/quote.ts';
import { isTenantDisabled } from '../db/reads/disabled-tenant.ts';
import { sealedPortalToken } from '../db/reads/portal-token.ts';
import { lastRecipients, withClient } from '../db/reads/share-recipients.ts';
import { readQuoteDrawing } from '../db/reads/quote-drawing.ts';
import {
  announceExpired,
  announceExpiring,
  claimReminder,
  closeReminderMail,
  computeMoments,
  findUnannouncedExpiry,
} from '../db/writes/expiry-moments.ts';
import { computeFollowUps, type FollowUps } from '../db/writes/follow-ups.ts';
import type { TenantTransaction } from '../db/with-tenant.ts';
import type { QuoteRef } from '../workflows/contract.ts';
import { mailLogo, portalAddress } from './client-mail.ts';
import { sendCounted } from './mail-allowance.ts';
import { type Deliver, mailStep } from './mail-step.ts';
import { mailFailure } from './mail-outcomes.ts';
import { withPermit } from './permits.ts';
import { MAX_PAUSE_MS } from './throttled.ts';
import type { TenantRateLimiter } from './tenant-rate-limiter.ts';
import type { ActivityDeps } from './deps.ts';

/** What `expiryReminder` waits for. Times are ISO 8601. */
export interface ExpirySchedule {
  readonly quoteNumber: number;
  readonly version: number;
  readonly expiresAt: string;
  /** Null when this version's reminder went out, or is not to. */
  readonly remindAt: string | null;
  /** A reminder was claimed and its mail has not ended. */
  readonly mailWaits: boolean;
  /** 24 hours before the end; null when that was announced. */
  readonly expiringAt: string | null;
  /** The end; null when that was announced, absent in older histories. */
  readonly expiredAt?: string | null;
  /** Absent when there are none, and in histories from before there were any. */
  readonly followUps?: FollowUpSchedule;
}

/** The follow-ups of a version: when each is due, and the day of the one whose mail has not ended. */
export interface FollowUpSchedule {
  readonly due: readonly { readonly day: number; readonly at: string }[];
  readonly mailOf: number | null;
}

/** A moment of one version, as its timer was set. */
export interface MomentRef extends QuoteRef {
  readonly version: number;
  /** ISO 8601. */
  readonly at: string;
}

export interface VersionRef extends QuoteRef {
  readonly version: number;
}

/** Milliseconds after which a recipient whom the server defers does not keep the others from their mail. */
export const WAIT_FOR_DEFERRED_MS = 60 * 60 * 1000;
/** A reminder that is a day late comes after the expiry. */
const GIVE_UP_AFTER_MS = 24 * 60 * 60 * 1000;

export interface ExpiryDeps extends Pick<
  ActivityDeps,
  'withTenant' | 'mailer' | 'log' | 'mailFrom' | 'mailQuota' | 'storage' | 'secrets' | 'publicUrl' | 'permits'
> {
  /** Of this worker process, for the moments of quotes that expire together. */
  readonly momentLimiter?: TenantRateLimiter;
}

/**
 * Rate limit of moments per tenant and worker process. Each moment costs Temporal and the worker several steps and an
 * event. Thousands of quotes may expire at the same moment, and must not delay other tenants' work.
 */
export const MOMENTS_A_SECOND = 4;

/** Frees the slot of a step that exceeds the rate limit; Temporal retries it when it is due. */
export function throttle(limiter: TenantRateLimiter | undefined, tenantId: string): void {
  // A retry is due, or follows an outage of PostgreSQL: it has waited already.
  if (!limiter || activityInfo().attempt > 1) return;
  const waitMs = limiter.reserve(tenantId);
  if (waitMs > 0) throw notDue(waitMs);
}

const notDue = (waitMs: number): ApplicationFailure =>
  ApplicationFailure.create({
    type: 'NotDue',
    message: 'Otras cotizaciones vencen en el mismo momento; esta espera su turno',
    nextRetryDelay: Math.ceil(waitMs),
    category: ApplicationFailureCategory.BENIGN,
  });

export const createExpiryActivities = ({
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
  async function send(
    { tenantId, quoteId, version }: VersionRef,
    deliver: Deliver,
  ): Promise<{ readonly mailed: boolean }> {
    try {
      const due = await withTenant(
        tenantId,
        async (trx) => {
          if (!(await isMailDue(trx, { tenantId, quoteId, version }))) return undefined;
          const drawing = await readQuoteDrawing(trx, quoteId);
          const to = await lastRecipients(trx, quoteId);
          return drawing && { drawing, to, sealedToken: await sealedPortalToken(trx, quoteId) };
        },
        { isSnapshot: true },
      );
      if (!due) return { mailed: false };
      const { drawing, sealedToken } = due;
      const recipients = withClient(due.to ? { to: due.to, cc: [] } : null, drawing);
      if (recipients.to.length === 0) return { mailed: false };
      const logo = await mailLogo(storage, drawing);
      const portalUrl = portalAddress(deps, quoteId, sealedToken);
      const messageId = messageIdOf('expiry', `${quoteId}.v${version}`, mailFrom);
      const mail = composeExpiryMail({ drawing, logo, portalUrl, messageId, recipients });
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
    /** Computes moments and follow-ups from the record as it is now; undefined when the quote is not SENT, or its expiry announced. */
    async planExpiry({ tenantId, quoteId }: QuoteRef): Promise<ExpirySchedule | undefined> {
      const { state, unannounced } = await withTenant(tenantId, async (trx) => {
        const moments = await computeMoments(trx, quoteId);
        const unannounced = await findUnannouncedExpiry(trx, quoteId);
        if (!moments) return { state: undefined, unannounced };
        const { quote, tenant, row } = moments;
        const followUps = await computeFollowUps(trx, { quote, tenant, remindAt: row.remindAt });
        return { state: { ...moments, followUps }, unannounced };
      });
      const expiredAt = unannounced?.expiresAt.toISOString() ?? null;
      if (!state) return unannounced && { ...expiredSchedule(unannounced), expiredAt };
      const { quote, row, expiringAt, followUps } = state;
      return {
        quoteNumber: quote.quoteNumber,
        version: quote.version,
        expiresAt: quote.expiresAt.toISOString(),
        remindAt: row.remindedAt ? null : (row.remindAt?.toISOString() ?? null),
        mailWaits: row.mail === 'PENDING',
        expiringAt: row.announcedAt ? null : expiringAt.toISOString(),
        expiredAt,
        ...followUpMember(followUps),
      };
    },

    /** Claims this version's reminder and notifies the creator; does nothing when the moment has passed or moved. */
    async takeReminder({ tenantId, quoteId, version, at }: MomentRef): Promise<void> {
      throttle(momentLimiter, tenantId);
      await withTenant(tenantId, (trx) => claimReminder(trx, { quoteId, version, at: new Date(at) }));
    },

    /** Mails the reminder of a version, while it is still to be mailed and still true. */
    sendExpiryMail: mailStep((ref: VersionRef, deliver) =>
      withPermit({ queue: automaticMail, tenantId: ref.tenantId, maxPauseMs: MAX_PAUSE_MS.inBackground }, () =>
        send(ref, deliver),
      ),
    ),

    /** How the mail ended. */
    async closeExpiryMail(ref: VersionRef & { readonly mail: 'SENT' | 'FAILED' | 'SKIPPED' }): Promise<void> {
      await withTenant(ref.tenantId, (trx) => closeReminderMail(trx, ref));
    },

    /** quote.expired, once for each expiry. */
    async announceExpired({ tenantId, quoteId, at }: MomentRef): Promise<void> {
      throttle(momentLimiter, tenantId);
      await withTenant(tenantId, (trx) => announceExpired(trx, { quoteId, at: new Date(at) }));
    },

    /** QUOTE_EXPIRING, once for each version. */
    async announceExpiring({ tenantId, quoteId, version, at }: MomentRef): Promise<void> {
      throttle(momentLimiter, tenantId);
      await withTenant(tenantId, (trx) => announceExpiring(trx, { quoteId, version, at: new Date(at) }));
    },
  };
};
export type ExpiryActivities = ReturnType<typeof createExpiryActivities>;

/** An expired quote has nothing ahead but its announcement. */
const expiredSchedule = ({ quoteNumber, version, expiresAt }: Quote) => ({
  quoteNumber,
  version,
  expiresAt: expiresAt.toISOString(),
  remindAt: null,
  mailWaits: false,
  expiringAt: null,
});
const followUpMember = ({ due, mailOf }: FollowUps): Pick<ExpirySchedule, 'followUps'> =>
  due.length === 0 && mailOf === null
    ? {}
    : { followUps: { due: due.map(({ day, at }) => ({ day, at: at.toISOString() })), mailOf } };

/** Answered, revised or expired meanwhile, of a client who never got it, or of a disabled business: no mail. */
async function isMailDue(trx: TenantTransaction, { tenantId, quoteId, version }: VersionRef): Promise<boolean> {
  if (await isTenantDisabled(trx)) return false;
  const row = await ExpiryReminder.query(trx).findOne({ tenantId, quoteId, version, mail: 'PENDING' });
  const quote = await Quote.query(trx)
    .findOne({ tenantId, id: quoteId, version, status: 'SENT', linkWithheld: false, remindersStoppedAt: null })
    .where('expiresAt', '>=', new Date());
  return row !== undefined && quote !== undefined;
}
