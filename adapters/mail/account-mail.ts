import { cleanLine } from '../../domain/clean-text.ts';
import { fullStopAfter } from '../../domain/full-stop.ts';
import type { AccountMail, AccountMailKind } from '../../domain/account-mail.ts';
import { type AccountMailWords, accountMailHtml } from './account-mail-html.ts';
import type { MailMessage } from './message.ts';

export interface AccountMailInput {
  readonly mail: AccountMail;
  /** What the link proves: only the reader of the mail has it. */
  readonly token: string;
  /** PUBLIC_URL. */
  readonly publicUrl: string;
  /** From messageIdOf(): the same for each attempt. */
  readonly messageId: string;
}

interface Wording {
  readonly page: string;
  readonly subject: (businessName: string) => string;
  readonly introduction: (businessName: string) => string;
  readonly button: string;
  readonly life: string;
  readonly closing: string;
}

const WORDINGS: Readonly<Record<AccountMailKind, Wording>> = {
  invitation: {
    page: 'invitation',
    subject: (business) => `${business} le invita a colaborar`,
    introduction: (business) =>
      `${business} le invita a preparar y enviar sus cotizaciones. Elija una contraseña para entrar.`,
    button: 'Aceptar la invitación',
    life: 'siete días',
    closing: 'Si no esperaba esta invitación, ignore este correo: sin su respuesta no se abre ninguna cuenta.',
  },
  password_reset: {
    page: 'reset-password',
    subject: (business) => `Cambie su contraseña de ${business}`,
    introduction: (business) =>
      `Alguien pidió cambiar la contraseña de su cuenta en ${business}${fullStopAfter(business)}`,
    button: 'Cambiar la contraseña',
    life: 'una hora',
    closing: 'Si no fue usted, ignore este correo: su contraseña sigue siendo la misma.',
  },
};

/** A mail about a user's account, in Mexican Spanish: a link that works once, and its token as text. */
export function composeAccountMail({ mail, token, publicUrl, messageId }: AccountMailInput): MailMessage {
  const { kind, user } = mail;
  const businessName = cleanLine(mail.businessName);
  const wording = WORDINGS[kind];
  const expiry = `El enlace vale una sola vez y durante ${wording.life} desde que se pidió.`;
  const words: AccountMailWords = {
    companyName: businessName,
    preheader: expiry,
    greeting: `Hola, ${cleanLine(user.name)}:`,
    introduction: wording.introduction(businessName),
    // In the fragment, which browsers do not send.
    button: { label: wording.button, url: `${publicUrl}/${wording.page}#token=${token}` },
    expiry,
    tokenLabel: 'Código, para usarlo desde la API:',
    token,
    closing: wording.closing,
  };
  return {
    fromName: businessName,
    to: { name: user.name, address: user.email },
    replyTo: null,
    subject: cleanLine(wording.subject(businessName)),
    messageId,
    isAutomatic: true,
    text: accountMailText(words),
    html: accountMailHtml(words),
    attachments: [],
  };
}

function accountMailText(words: AccountMailWords): string {
  const paragraphs = [
    words.greeting,
    words.introduction,
    `${words.button.label}:\n${words.button.url}`,
    words.expiry,
    `${words.tokenLabel}\n${words.token}`,
    words.closing,
    `--\n${words.companyName}`,
  ];
  return `${paragraphs.join('\n\n')}\n`;
}
