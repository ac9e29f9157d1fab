import { ApplicationFailure } from '@temporalio/common';
import { MailMaybeSent, MailRefused, MailUnavailable } from '../adapters/mail/failures.ts';
import { composeQuoteMail, messageIdOf } from '../adapters/mail/quote-mail.ts';
import type { Mailer } from '../adapters/mail/transport.ts';
import { fingerprint } from '../adapters/pdf/fingerprint.ts';
import { type Storage, StorageUnavailable } from '../adapters/storage.ts';
import { readQuoteDrawing } from '../db/reads/quote-drawing.ts';
import type { WithTenant } from '../db/with-tenant.ts';
import { quotePdfKey } from '../domain/quote-drawing.ts';
import type { ShareInput } from '../workflows/contract.ts';
import { orGiveUp } from './patience.ts';

/** Milliseconds after which a mail server that cannot be reached is given up (decisions, section 3: Share). */
const GIVE_UP_AFTER_MS = 5_000;

export interface MailDeps {
  readonly withTenant: WithTenant;
  readonly storage: Storage;
  readonly mailer: Mailer;
  /** MAIL_FROM; its host is the right-hand side of Message-IDs. */
  readonly mailFrom: string;
}

export const createMailActivities = ({ withTenant, storage, mailer, mailFrom }: MailDeps) => ({
  /**
   * Mails the stored PDF to the quote's client. Answers `mailed: false`, and sends nothing, when the quote was changed
   * since that PDF was drawn: the mail would name other amounts than the document.
   */
  async sendQuoteMail(input: ShareInput & { readonly storageKey: string }): Promise<{ readonly mailed: boolean }> {
    const { quote, shareId, storageKey } = input;
    const drawing = await withTenant(quote.tenantId, (trx) => readQuoteDrawing(trx, quote.quoteId));
    if (!drawing) throw ApplicationFailure.nonRetryable('there is no such quote', 'QuoteGone');
    if (!drawing.client.email) throw ApplicationFailure.nonRetryable('the client has no address', 'ClientHasNoEmail');
    if (quotePdfKey(quote, fingerprint(drawing)) !== storageKey) return { mailed: false };

    try {
      const pdf = await storage.get(storageKey);
      // The same Message-ID for each attempt of one share: a second copy can be recognised as one.
      const messageId = messageIdOf('share', shareId, mailFrom);
      // The page for the client does not exist yet, so the mail carries the document only.
      await mailer.send(composeQuoteMail({ drawing, pdf, portalUrl: null, messageId }));
    } catch (error) {
      throw asFailure(error);
    }
    return { mailed: true };
  },
});
export type MailActivities = ReturnType<typeof createMailActivities>;

/** A refusal, and a message that may have gone out, are final at once; what is merely away is tried for a while. */
function asFailure(error: unknown): unknown {
  if (error instanceof MailRefused) return final('SmtpRefused', error);
  if (error instanceof MailMaybeSent) return final('SmtpMaybeSent', error);
  if (error instanceof MailUnavailable) return orGiveUp(error, 'SmtpUnavailable', GIVE_UP_AFTER_MS);
  if (error instanceof StorageUnavailable) return orGiveUp(error, 'DocumentUnavailable', GIVE_UP_AFTER_MS);
  return error;
}

const final = (type: string, cause: Error): ApplicationFailure =>
  ApplicationFailure.create({ type, message: cause.message, nonRetryable: true, cause });
