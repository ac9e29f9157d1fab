import { Readable } from 'node:stream';
import { parseConnectionUrl } from 'nodemailer/lib/shared';
import SMTPConnection from 'nodemailer/lib/smtp-connection';
import { isMailAddress, asciiAddress } from '../internet-address.ts';
import type { WorkerConfig } from '../config.ts';
import { isLoopback } from '../loopback.ts';
import { MailRefused, type MailStage, mailFailure, type SmtpError } from './failures.ts';
import { buildMime, type MailMessage, recipientsOf } from './message.ts';
import { envelopeOf, refusalOf } from './partial-refusal.ts';

/** From the look-up of the host to the response to the message. The activity around it has 4 s. */
const TOTAL_MS = 3_000;
const LIMITS = {
  // Look-up, connecting, TLS and greeting together.
  connectionTimeout: 1_500,
  // Without a byte from the server.
  socketTimeout: 2_500,
  // After QUIT, for the server to close the connection.
  socketCloseTimeout: 500,
};

export interface Mailer {
  /**
   * Resolves when the mail server accepted the message for at least one `to`, after 3 s at the latest. Throws
   * MailUnavailable (may be retried), MailRefused or MailMaybeSent (final).
   */
  send(message: MailMessage, options?: SendOptions): Promise<SentMail>;
  /** Connects, greets and signs in, without a mail. Throws as send() does. */
  check(): Promise<void>;
  /** Aborts pending mails; each fails by the stage it had reached. */
  close(): void;
}

export interface SendOptions {
  /** Sends without the recipients that the server defers (4xx). Otherwise one of them puts the whole mail off. */
  readonly skipDeferred?: boolean;
}

export interface SentMail {
  /** Addresses of recipients that the server did not accept, as the message has them. */
  readonly rejected: readonly string[];
}

/**
 * Mail over SMTP, one connection for each mail: a dead pooled connection is noticed only in use, and its failure could
 * not be distinguished from one that lost the message.
 *
 * Uses the protocol client directly, because the library's transport reports a lost connection in the same words before
 * and during the message.
 */
export function createMailer({ SMTP_URL, MAIL_FROM }: Pick<WorkerConfig, 'SMTP_URL' | 'MAIL_FROM'>): Mailer {
  const server = withTlsForCredentials(parseConnectionUrl(SMTP_URL));
  const open = new Set<() => void>();

  /** Opens a connection and runs one conversation on it; settles once, by the deadline at the latest. */
  function converse(talk: (conversation: Conversation) => void): Promise<void> {
    return new Promise((resolve, reject) => {
      let stage: MailStage = 'connect';
      let settled = false;
      const connection = new SMTPConnection({ ...server, ...LIMITS, logger: false, debug: false });
      const settle = (error?: SmtpError | null) => {
        if (settled) return;
        settled = true;
        clearTimeout(deadline);
        open.delete(abandon);
        if (error) {
          connection.close();
          reject(mailFailure(stage, error));
        } else {
          connection.quit();
          resolve();
        }
      };
      const abandon = () => settle(Object.assign(new Error('closed'), { code: 'ECLOSED' }));
      const deadline = setTimeout(() => {
        settle(Object.assign(new Error(`no answer within ${TOTAL_MS} ms`), { code: 'ETIMEDOUT' }));
      }, TOTAL_MS);
      open.add(abandon);

      // Kept for the connection's life: an 'error' without a listener, even after QUIT, would end the process.
      connection.on('error', settle);
      // The end is also emitted while an error is being reported; the error takes precedence.
      connection.once('end', () => setImmediate(abandon));
      const enter = (next: MailStage) => {
        stage = next;
      };
      connection.connect((error) => {
        if (error) return settle(error);
        if (!server.auth) return talk({ connection, enter, settle });
        enter('login');
        // Without STARTTLS the library would send the password unencrypted.
        if (!connection.allowsAuth) return settle(Object.assign(new Error('no AUTH offered'), { code: 'ENOAUTH' }));
        connection.login(server.auth, (refused) => {
          if (refused) settle(refused);
          else talk({ connection, enter, settle });
        });
      });
    });
  }

  return {
    async send(message, { skipDeferred = false } = {}) {
      const { to, cc } = recipientsOf(message);
      const all = [...to, ...cc].map(({ address }) => address);
      const required = to.map(({ address }) => asciiAddress(address));
      const addresses = all.filter(isMailAddress).map(asciiAddress);
      if (!required.some((address) => addresses.includes(address)))
        throw new MailRefused({ stage: 'address', reason: 'not an e-mail address' });
      const mime = await buildMime(message, MAIL_FROM);
      let accepted: readonly string[] = [];

      await converse(({ connection, enter, settle }) => {
        enter('envelope');
        // Read only once the server has sent 354: the first read separates "nothing was sent" from "maybe sent".
        const body = new Readable({
          read() {
            const envelope = envelopeOf(connection);
            const refusal = refusalOf(envelope, { required, skipDeferred });
            // The connection is cut before the message: a server delivers nothing without its end (RFC 5321, 4.1.1.4).
            if (refusal) return settle(refusal);
            ({ accepted } = envelope);
            enter('body');
            this.push(mime);
            this.push(null);
          },
        });
        connection.send({ from: MAIL_FROM, to: addresses, size: mime.length }, body, settle);
      });
      return { rejected: all.filter((address) => !accepted.includes(asciiAddress(address))) };
    },

    check: () => converse(({ settle }) => settle()),

    close() {
      for (const abandon of open) abandon();
    },
  };
}

/**
 * Credentials are sent over TLS only, whatever the address's query says: a server without STARTTLS, or an attacker who
 * removes the offer, would get the password unencrypted. Connections on this machine cannot be intercepted.
 */
const withTlsForCredentials = (server: ReturnType<typeof parseConnectionUrl>) =>
  server.auth && !isLoopback(server.host ?? 'localhost') ? { ...server, requireTLS: true } : server;

interface Conversation {
  readonly connection: SMTPConnection;
  readonly enter: (stage: MailStage) => void;
  /** Ends the conversation; without an error it succeeded. */
  readonly settle: (error?: SmtpError | null) => void;
}
