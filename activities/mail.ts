import { activityInfo } from '@temporalio/activity';
import { ApplicationFailure, ApplicationFailureCategory } from '@temporalio/common';
import type { Log } from '../adapters/log.ts';
import { MailMaybeSent, MailRefused, MailUnavailable } from '../adapters/mail/failures.ts';
import { type MailMessage, recipientsOf } from '../adapters/mail/message.ts';
import { composeQuoteMail, messageIdOf } from '../adapters/mail/quote-mail.ts';
import { fingerprint } from '../adapters/pdf/fingerprint.ts';
import { readSignedPdf, SignedPdfLost } from '../adapters/signed-pdf.ts';
import { StorageUnavailable } from '../adapters/storage.ts';
import { isTenantDisabled } from '../db/reads/disabled-tenant.ts';
import { sealedPortalToken } from '../db/reads/portal-token.ts';
import { recipientsOfShare, withClient } from '../db/reads/share-recipients.ts';
import { readDocument } from '../db/reads/signed-file.ts';
import { Quote } from '../db/models/quote.ts';
import { QuoteShare } from '../db/models/quote-share.ts';
import { tenantOf, type TenantTransaction } from '../db/with-tenant.ts';
import { quotePdfKey } from '../domain/quote-drawing.ts';
import type { ShareInput } from '../workflows/contract.ts';
import { failures } from '../workflows/failures.ts';
import { mailLogo, portalAddress } from './client-mail.ts';
import { type Deliver, mailStep } from './mail-step.ts';
import { giveUpMailAfter } from './mail-outcomes.ts';
import { giveUpAfter, TooSlow, within } from './deadline.ts';
import { withPermit } from './permits.ts';
import { watchProcessPauses } from './process-pause.ts';
import { MAX_PAUSE_MS } from './throttled.ts';
import { permanent } from './permanent-failure.ts';
import type { ActivityDeps } from './deps.ts';

/** Milliseconds after which a mail server that cannot be reached is given up. */
const GIVE_UP_AFTER_MS = 5_000;
/**
 * Milliseconds for reading the quote and its PDF. An attempt has four seconds and the mail may take three of them: one
 * that began later could be under way when Temporal starts the next attempt, and the client would get two.
 */
const PREPARE_MS = 800;

/** Milliseconds after which a recipient whom the server defers does not keep the others from their mail. */
const WAIT_FOR_DEFERRED_MS = 3_000;

/** Positions refer to all recipients, `to` first; no address leaves the activity. */
export interface MailedQuote {
  readonly mailed: boolean;
  /** Recipients that the mail server refused; absent without any. */
  readonly rejected?: readonly number[];
}

export interface SendQuoteMail extends ShareInput {
  /** Of the PDF that was stored for this share. */
  readonly storageKey: string;
}

export const createMailActivities = ({
  withTenant,
  storage,
  reportLoss,
  mailer,
  log,
  mailFrom,
  secrets,
  publicUrl,
  permits: { requestedMail },
}: Pick<
  ActivityDeps,
  'withTenant' | 'storage' | 'reportLoss' | 'mailer' | 'log' | 'mailFrom' | 'secrets' | 'publicUrl' | 'permits'
>) => {
  const mayHaveWaited = watchProcessPauses();

  /** The mail, or whether none is to be sent: `stale` when the stored PDF is not of the quote as it is now. */
  async function prepare({ quote, shareId, storageKey }: SendQuoteMail): Promise<MailMessage | 'stale' | 'sent'> {
    const found = await withTenant(
      quote.tenantId,
      async (trx) => {
        if (await isTenantDisabled(trx)) return undefined;
        const document = await readDocument(trx, quote.quoteId);
        const share = document && (await readShare(trx, quote.quoteId, shareId));
        return document && { ...document, share, sealedToken: await sealedPortalToken(trx, quote.quoteId) };
      },
      { isSnapshot: true },
    );
    if (!found) throw permanent(failures.quoteGone, 'there is no such quote, or its business is disabled');
    const { drawing, signed, share, sealedToken } = found;
    // A new execution runs the update again after Temporal's store was lost.
    if (share?.status === 'SENT') return 'sent';
    const recipients = withClient(share ? recipientsOfShare(share) : null, drawing);
    if (recipients.to.length === 0) throw permanent(failures.clientHasNoEmail, 'the client has no address');
    if ((signed?.storageKey ?? quotePdfKey(quote, fingerprint(drawing))) !== storageKey) return 'stale';

    const [pdf, logo] = await Promise.all([
      signed ? readSignedPdf(storage, signed, reportLoss) : storage.get(storageKey),
      mailLogo(storage, drawing),
    ]);
    const portalUrl = portalAddress({ secrets, publicUrl }, quote.quoteId, sealedToken);
    // The same Message-ID for each attempt of one share: a second copy can be recognised as one.
    const messageId = messageIdOf('share', shareId, mailFrom);
    return composeQuoteMail({
      drawing,
      pdf,
      logo,
      portalUrl,
      messageId,
      recipients,
      message: share?.message ?? null,
    });
  }

  async function send(input: SendQuoteMail, deliver: Deliver): Promise<MailedQuote> {
    try {
      const message = await within(PREPARE_MS, prepare(input));
      if (message === 'stale') return { mailed: false };
      if (message === 'sent') return { mailed: true };
      const skipDeferred = Date.now() - activityInfo().scheduledTimestampMs >= WAIT_FOR_DEFERRED_MS;
      const { rejected } = await deliver(() => mailer.send(message, { skipDeferred }));
      return rejected.length === 0 ? { mailed: true } : { mailed: true, rejected: positionsOf(rejected, message) };
    } catch (error) {
      throw asFailure(error, log);
    }
  }

  return {
    /**
     * Mails the stored PDF to the recipients of the share, by default to the quote's client. Returns `mailed: false`, and sends nothing, when the quote was changed
     * since that PDF was drawn: the mail would name other amounts than the document. Throttled, it is never given up.
     */
    sendQuoteMail: mailStep(async (input: SendQuoteMail, deliver) => {
      if (mayHaveWaited(activityInfo().currentAttemptScheduledTimestampMs)) throw superseded();
      const { tenantId } = input.quote;
      const maxPauseMs = MAX_PAUSE_MS.whileSomebodyWaits;
      return withPermit({ queue: requestedMail, tenantId, maxPauseMs }, () => send(input, deliver));
    }),
  };
};
export type MailActivities = ReturnType<typeof createMailActivities>;

/** The share's row; undefined for one that was started before shares had any. */
async function readShare(trx: TenantTransaction, quoteId: string, shareId: string): Promise<QuoteShare | undefined> {
  const tenantId = tenantOf(trx);
  const share = await QuoteShare.query(trx).findOne({ tenantId, id: shareId });
  const isForClient = !share || (share.recipients === null && share.message === null);
  if (isForClient) return share;
  const quote = await Quote.query(trx).findOne({ tenantId, id: quoteId, clientId: share.clientId });
  if (!quote) throw permanent(failures.clientChanged, 'the quote was revised for another client');
  return share;
}

function positionsOf(rejected: readonly string[], message: MailMessage): readonly number[] {
  const { to, cc } = recipientsOf(message);
  return [...to, ...cc].flatMap(({ address }, position) => (rejected.includes(address) ? [position] : []));
}

/** A refusal, and a message that may have been sent, are final; an unavailable dependency is retried for a limited time. */
function asFailure(error: unknown, log: Log): unknown {
  if (error instanceof MailRefused) return permanent(failures.smtpRefused, error.message, error);
  if (error instanceof MailMaybeSent) return permanent(failures.smtpMaybeSent, error.message, error);
  if (error instanceof MailUnavailable) return giveUpMailAfter(error, { log, afterMs: GIVE_UP_AFTER_MS });
  if (error instanceof SignedPdfLost) return permanent(failures.documentUnavailable, error.message, error);
  if (error instanceof StorageUnavailable || error instanceof TooSlow)
    return giveUpAfter(error, failures.documentUnavailable, GIVE_UP_AFTER_MS);
  return error;
}

/**
 * A mail cannot be fenced like a row of PostgreSQL: an attempt that arrives after a pause of the process may have been
 * superseded by one that has mailed. If it was not, the retry costs only a moment.
 */
const superseded = (): ApplicationFailure =>
  ApplicationFailure.create({
    type: 'AttemptOvertaken',
    message: 'El proceso estuvo detenido y otro intento puede haber tomado el lugar de este',
    nextRetryDelay: 250,
    category: ApplicationFailureCategory.BENIGN,
  });
