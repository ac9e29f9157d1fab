import { html } from '../../html.ts';
import type { PageTexts } from '../es-MX/page.ts';

/** Texts of the client's page, in American English. */
export const page = {
  language: 'Language',
  title: (label, business) => `Quote ${label} from ${business}`,
  skipToAnswer: 'Skip to your response',
  skipToQuote: 'Skip to the quote',
  lead: (business, client) => html`Prepared by ${business} for ${client}`,
  expiresToday: 'Expires today',
  expiresTomorrow: 'Expires tomorrow',
  daysLeft: (days) => `${days} days left`,
  until: (date) => html`valid until ${date}`,
  download: 'Download PDF',
  downloadSigned: 'Download signed PDF',
  accept: 'Accept',
  reject: 'Decline',
  respond: 'Respond',
  questions: 'Questions?',
  contact: (seller, email) => html`Write to ${seller} (${email})`,
  orCall: (phone) => html` or call ${phone}`,
  detail: 'Details',
  caption: (currency) => `Items of the quote, amounts in ${currency}`,
  copy: 'Copy',
  copyWhat: (account) => ` the ${account}`,
  copied: 'Copied',
  accountCopied: 'The account number was copied.',
  selection: {
    hint: 'Choose what to include: the total changes with your selection.',
    update: 'Update the total',
    failed:
      'We could not calculate the total, and your selection stays as it was. Check your connection and try again.',
    refused: {
      title: 'This selection cannot be accepted',
      text: 'The previous one is kept. Choose other options or write to the person who prepared the quote.',
    },
  },
  form: {
    title: 'Your response',
    name: 'Full name',
    email: 'Email address',
    emailHint: 'It is shown on the signature certificate.',
    typedHint: 'Your full name, as you typed it above, counts as your signature.',
    type: 'Type',
    draw: 'Draw',
    canvas: 'Area to draw your signature with a finger or the mouse',
    clear: 'Clear',
    clearWhat: ' the drawn signature',
    accept: 'Accept quote',
    reject: 'Decline the quote',
    reason: 'Reason',
    optional: '(optional)',
    confirmRejection: 'Confirm and decline',
    sending: 'Sending…',
    notConfirmed:
      'We could not confirm your response. Check your connection and try again: what you entered is still here, and ' +
      'your response is recorded only once.',
    checkThese: 'Please check the following; your response has not been recorded yet.',
    noSignature: 'Draw your signature or choose to type it.',
    emailBeyondAscii: 'Only letters without accents are allowed before the @, as in jose@example.com.',
    errors: {
      signerName: 'Enter your full name.',
      signerEmail: 'Enter a valid email address, such as name@example.com.',
      signature: 'We could not read the drawn signature. Draw it again or choose to type it.',
      consent: 'Check the box to accept.',
      reason: 'The reason may have at most 1,000 characters.',
      changeMessage: 'Enter what you would like to change, with at most 2,000 characters.',
      changeName: 'The name may have at most 200 characters.',
      changeEmail: 'Enter a valid email address, such as name@example.com, or leave the field empty.',
    },
  },
  changes: {
    title: 'Ask for changes',
    message: 'What would you like to change?',
    hint: 'The quote stays valid; if it is changed, you will receive a new version.',
    name: 'Your name',
    email: 'Your email address',
    emailHint: 'It is only shown to the seller.',
    send: 'Send to the seller',
  },
  stop: {
    title: 'Stop reminders',
    text: (label, business) =>
      `${business} will no longer send you automatic reminders about quote ${label}. The quote stays as it is.`,
    button: 'Stop reminders',
    done: 'You will get no more reminders',
    doneText: (business) => `Messages that a person at ${business} writes to you will still arrive.`,
    back: 'View the quote',
  },
  notices: {
    versionChanged: {
      title: 'The quote has a new version',
      text: (link) =>
        html`A new version arrived while you were reviewing the quote; no response was recorded. ${link} and respond
        again.`,
      link: (version) => `Review version ${version}`,
    },
    alreadyAnswered: {
      title: 'The quote has already been answered',
      text: 'Your new response was not recorded: the first one counts.',
    },
    selectionChanged: {
      title: 'The total changed with your selection',
      text: 'No response has been recorded yet. Review the total and accept again.',
    },
    lapsed: {
      title: 'The quote has expired',
      text: 'Your response arrived after the quote expired and was not recorded.',
    },
    unavailable: {
      title: 'We could not record your response',
      text: 'The service is not available at the moment. Your details are still here: try again in a few minutes.',
    },
  },
  states: {
    changesRequested: (when) => html`You asked for changes on ${when}`,
    changesSent: 'The seller has received your message. Meanwhile you can respond to the quote as it is.',
    accepted: 'Quote accepted',
    signedBy: (name, when) =>
      html`Signed by ${name} on ${when}. Keep the signed document; there is nothing else you need to do.`,
    acceptedAt: (when) => html`It was accepted on ${when}. `,
    nothingLeft: 'There is nothing else you need to do.',
    rejected: 'Quote declined',
    rejectedAt: (when) => html`It was declined on ${when}. `,
    reason: (reason) => html`Reason: “${reason}” `,
    changedYourMind: 'Changed your mind? ',
    expired: (when) => html`This quote expired on ${when}`,
    expiredText: 'It can no longer be accepted online. Still interested? ',
    closed: 'This quote is closed',
    closedText: 'It can no longer be answered online. ',
  },
  messages: {
    notFound: {
      title: 'Quote not found',
      paragraphs: [
        'The link is not correct or is no longer active. The quote may have been sent again: use the link in the most recent email.',
        'If you copied the link by hand, check that it is complete. If it still does not open, reply to the email in which you received it.',
      ],
    },
    busy: { title: 'Too many requests', paragraphs: ['Wait a moment and reload the page.'] },
    foreignOrigin: {
      title: 'Origin not allowed',
      paragraphs: [
        'The response did not come from this page and was not recorded. Open the link in the email again and respond there.',
      ],
    },
    unavailable: {
      title: 'Service unavailable',
      paragraphs: ['We could not show the quote. Try again in a few minutes; the link is still valid.'],
    },
    tooLarge: { title: 'Request too large', paragraphs: [] },
    invalid: { title: 'Invalid data', paragraphs: [] },
  },
} satisfies PageTexts;
