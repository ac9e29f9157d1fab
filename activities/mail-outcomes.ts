import { MailMaybeSent, MailRefused, MailUnavailable } from '../adapters/mail/failures.ts';
import type { Mailer } from '../adapters/mail/transport.ts';
import type { Log } from '../adapters/log.ts';
import { failures } from '../workflows/failures.ts';
import { giveUpAfter } from './deadline.ts';
import { permanent } from './permanent-failure.ts';

/**
 * The mailer, with a line for each attempt at a mail: sent, refused, perhaps sent, or put off. It names the Message-ID, and
 * never a person or an address.
 */
export const loggedMailer = (mailer: Mailer, log: Log): Mailer => ({
  async send(message, options) {
    const { messageId } = message;
    let sent;
    try {
      sent = await mailer.send(message, options);
    } catch (error) {
      log.warn({ messageId, ...describe(error) }, sentenceOf(error));
      throw error;
    }
    const rejected = sent.rejected.length;
    log.info({ messageId, ...(rejected > 0 && { rejected }) }, 'mail sent');
    return sent;
  },
  check: () => mailer.check(),
  close: () => mailer.close(),
});

/**
 * What an activity throws for a mail that failed: a refusal, and a message that may have been sent, are final; anything else
 * is retried until then.
 */
export function mailFailure(error: unknown, options: { log: Log; afterMs: number }): unknown {
  if (error instanceof MailRefused) return permanent(failures.smtpRefused, error.message, error);
  if (error instanceof MailMaybeSent) return permanent(failures.smtpMaybeSent, error.message, error);
  return giveUpMailAfter(error, options);
}

/** As `giveUpAfter`, for a mail: the line says that no further attempt follows. */
export function giveUpMailAfter(error: unknown, { log, afterMs }: { log: Log; afterMs: number }): unknown {
  const failure = giveUpAfter(error, failures.smtpUnavailable, afterMs);
  if (failure !== error) log.warn({ reason: 'unavailable' }, 'mail given up');
  return failure;
}

function sentenceOf(error: unknown): string {
  if (error instanceof MailRefused) return 'mail refused';
  if (error instanceof MailMaybeSent) return 'mail may have been sent: the server did not answer';
  return error instanceof MailUnavailable ? 'mail put off: the server is not available' : 'mail failed';
}

/** The failures of a mail know no address; anything else is a bug, and logged whole. */
function describe(error: unknown): object {
  if (!(error instanceof MailRefused || error instanceof MailMaybeSent || error instanceof MailUnavailable))
    return { err: error };
  return { stage: error.stage, replyCode: error.replyCode, reason: error.message };
}
