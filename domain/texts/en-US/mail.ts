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
    email_verification: {
      subject: (business) => `Confirm your email to use ${business}`,
      introduction: (business) =>
        `Somebody registered ${business} with this address. Confirm it to be able to send quotes.`,
      button: 'Confirm the address',
      life: 'one day',
      closing: 'If it was not you, ignore this email: without your confirmation nobody can write in your name.',
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
  security: {
    when: (at, ip) => (ip === null ? `It happened on ${at}.` : `It happened on ${at}, from ${ip}.`),
    api_key_created: (business, key) => ({
      subject: `New API key for ${business}`,
      introduction: `An API key was created in your name at ${business}: ${key}.`,
      advice: 'If it was not you, revoke it and change your password.',
    }),
    password_changed: (business) => ({
      subject: `Your ${business} password was changed`,
      introduction: `The password of your account at ${business} was changed. All other sessions were closed.`,
      advice: 'If it was not you, request a link to change the password now, and tell your administrator.',
    }),
    two_factor_disabled: (business) => ({
      subject: `Two-factor sign-in was turned off at ${business}`,
      introduction: `Your account at ${business} no longer asks for a verification code.`,
      advice: 'If it was not you, change your password and turn it on again.',
    }),
    recovery_code_used: (business, left) => ({
      subject: `A recovery code was used at ${business}`,
      introduction: `Somebody signed in to your account at ${business} with a recovery code. You have ${left} left.`,
      advice: 'If it was not you, change your password and renew the codes.',
    }),
    owner_added: (business, owner) => ({
      subject: `${owner} is now an owner of ${business}`,
      introduction: `${owner} can manage everything at ${business}: quotes, settings, people and keys.`,
      advice: 'If you did not expect this, check the people of the business.',
    }),
  },
} satisfies MailTexts;
