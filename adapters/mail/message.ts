import MailComposer from 'nodemailer/lib/mail-composer';
import { cleanLine } from '../../domain/clean-text.ts';
import type { Locale } from '../../domain/locale.ts';
import { asciiAddress, isMailAddress } from '../internet-address.ts';

export interface Mailbox {
  readonly name: string;
  readonly address: string;
}

/** One mail. With one recipient it is accepted or refused as a whole. */
export interface MailMessage {
  /** The displayed sender; the address is the service's own. */
  readonly fromName: string;
  readonly to: Mailbox;
  /** More recipients in To. All recipients see each other. */
  readonly alsoTo?: readonly Mailbox[];
  readonly cc?: readonly Mailbox[];
  /** Omitted when its address is invalid. */
  readonly replyTo: Mailbox | null;
  readonly subject: string;
  /** The language of the parts, for the header Content-Language (RFC 3282). */
  readonly locale: Locale;
  /** `<left@right>`; the same for each attempt, so that a second copy can be recognised. */
  readonly messageId: string;
  /** The Message-ID of an earlier mail, so that mail programs show both as one conversation. */
  readonly inReplyTo?: string;
  /** Where a POST without cookies stops further mails (RFC 8058). */
  readonly unsubscribeUrl?: string;
  /** Sent automatically, so that no auto-reply answers it (RFC 3834). */
  readonly isAutomatic?: boolean;
  readonly text: string;
  readonly html: string;
  readonly attachments: readonly {
    readonly filename: string;
    readonly contentType: string;
    readonly content: Buffer;
    /** The HTML part shows it by this name, as cid:name. */
    readonly cid?: string;
  }[];
}

const MESSAGE_ID = /^<[\w.+-]+@[A-Za-z0-9.-]+>$/;

/** The message in its wire format (RFC 5322, MIME). Throws a TypeError on an invalid Message-ID, of its own or of the earlier mail. */
export function buildMime(message: MailMessage, mailFrom: string): Promise<Buffer> {
  if (!MESSAGE_ID.test(message.messageId)) throw new TypeError('a Message-ID must be <left@right>');
  const { replyTo, inReplyTo, unsubscribeUrl } = message;
  if (inReplyTo !== undefined && !MESSAGE_ID.test(inReplyTo)) throw new TypeError('In-Reply-To must be <left@right>');

  const composer = new MailComposer({
    from: mailbox({ name: message.fromName, address: mailFrom }),
    to: recipientsOf(message).to.map(mailbox),
    ...(message.cc?.length ? { cc: message.cc.map(mailbox) } : {}),
    ...(replyTo && isMailAddress(replyTo.address) ? { replyTo: mailbox(replyTo) } : {}),
    subject: cleanLine(message.subject),
    messageId: message.messageId,
    ...(inReplyTo !== undefined && { inReplyTo, references: inReplyTo }),
    headers: {
      'Content-Language': message.locale,
      ...(message.isAutomatic && { 'Auto-Submitted': 'auto-generated' }),
      ...(unsubscribeUrl !== undefined && {
        'List-Unsubscribe': `<${unsubscribeUrl}>`,
        'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
      }),
    },
    text: message.text,
    html: message.html,
    attachments: message.attachments.map(({ filename, contentType, content, cid }) => ({
      filename: cleanLine(filename),
      contentType,
      content,
      ...(cid === undefined ? {} : { cid, contentDisposition: 'inline' as const }),
    })),
    // A message refers to no files or URLs; this option keeps any from being read.
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  return composer.compile().build();
}

/** The mail's recipients; at least one of `to` must be accepted. */
export const recipientsOf = ({ to, alsoTo = [], cc = [] }: Pick<MailMessage, 'to' | 'alsoTo' | 'cc'>) => ({
  to: [to, ...alsoTo],
  cc,
});

const mailbox = ({ name, address }: Mailbox): Mailbox => ({ name: cleanLine(name), address: asciiAddress(address) });
