import { fullStopAfter } from '../../full-stop.ts';
import type { MailTexts } from '../es-MX/mail.ts';

/** Texts of mails, in American English. */
export const mail = {
  greeting: (name) => `Hello ${name},`,
  greetingToAll: 'Hello,',
  versionSuffix: (version) => ` (version ${version})`,
  taxIdOfClient: (label) => `Client’s ${label}`,
  viewQuote: 'View quote',
  closing: (seller) => `Any questions, or would you like a change? Reply to this email and ${seller} will help you.`,
  share: {
    subject: (label, business, total) => `Quote ${label} from ${business}: ${total}`,
    preheader: (total, until) => `Total ${total}. Valid until ${until}.`,
    withPage:
      'Here is the quote that we prepared for you. You can view it and respond online; it is also attached as a PDF.',
    withoutPage: 'Here is the quote that we prepared for you. You will find it attached as a PDF.',
    chat: (label, business) => `Quote ${label} from ${business}:`,
  },
  expiry: {
    subject: (label, business, until) => `Quote ${label} from ${business} expires on ${until}`,
    preheader: (total) => `Total ${total}. After that date, its prices may change.`,
    introduction: (label, total, until) =>
      `This is a reminder that quote ${label}, for ${total}, is valid until ${until}.`,
    answerOnline: ' You can view it and respond online.',
  },
  answer: {
    preheader: (total) => `Total ${total}.`,
    accepted: (label, client) => ({
      subject: `${client} accepted quote ${label}`,
      introduction: `${client} accepted and signed quote ${label}. The signed document is attached as a PDF.`,
    }),
    rejected: (label, client) => ({
      subject: `${client} rejected quote ${label}`,
      introduction: `${client} rejected quote ${label}.`,
    }),
    signed: (label, business) => ({
      subject: `Your signed copy of quote ${label} from ${business}`,
      introduction: 'You accepted and signed this quote. The signed document is attached as a PDF; please keep it.',
    }),
    facts: { accepted: 'Accepted', rejected: 'Rejected', signer: 'Signed by', reason: 'Reason' },
    memberClosing: (client) =>
      client === null ? 'The client has no email address on file.' : `A reply to this email goes to ${client}.`,
    fileSuffix: 'signed',
  },
  followUp: {
    preheader: (total, until) => `Total ${total}. Still valid until ${until}.`,
    introduction: (label, date) =>
      `Have you had a chance to look at quote ${label} of ${date}? We are happy to answer any questions. You can view it and respond online.`,
    stop: 'Stop reminders about this quote',
  },
  changeRequest: {
    subject: (client, label) => `${client} asked for changes to quote ${label}`,
    introduction: (client, label, version) =>
      `${client} asked for changes to quote ${label}, version ${version}, on its page:`,
    typed: (signed) => `The author entered these details, which are not verified: ${signed}`,
    closing: (client) => `A reply to this email goes to the address that you have on record for ${client}.`,
    withoutAddress: 'There is no email address on record for the client; please respond in another way.',
  },
  account: {
    expiry: (life) => `The link works once and for ${life} after it was requested.`,
    token: 'Code, for use with the API:',
    invitation: {
      subject: (business) => `${business} invites you to collaborate`,
      introduction: (business) =>
        `${business} invites you to prepare and send its quotes. Choose a password to sign in.`,
      button: 'Accept the invitation',
      life: 'seven days',
      closing: 'If you did not expect this invitation, ignore this email: no account is opened without your response.',
    },
    password_reset: {
      subject: (business) => `Change your password for ${business}`,
      introduction: (business) =>
        `Someone asked to change the password of your account at ${business}${fullStopAfter(business)}`,
      button: 'Change the password',
      life: 'one hour',
      closing: 'If it was not you, ignore this email: your password stays the same.',
    },
  },
} satisfies MailTexts;
