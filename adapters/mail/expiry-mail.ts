import { formatDate, formatMoney } from '../../domain/format.ts';
import { type QuoteDrawing, quoteLabel } from '../../domain/quote-drawing.ts';
import { headerText, type MailMessage } from './message.ts';
import { composeTextMail } from './text-mail.ts';

export interface ExpiryMailInput {
  readonly drawing: QuoteDrawing;
  /** From messageIdOf(): the same for each attempt. */
  readonly messageId: string;
}

/** Reminds a client, in Mexican Spanish, that a quote expires. Throws a TypeError when the client has no address. */
export function composeExpiryMail({ drawing, messageId }: ExpiryMailInput): MailMessage {
  const { business, client, seller } = drawing;
  if (client.email === null) throw new TypeError('the client has no e-mail address');
  const label = quoteLabel(drawing.quoteNumber);
  const expires = formatDate(drawing.expiresAt);
  const [clientName, sellerName] = [headerText(client.contactName), headerText(seller.name)];
  return composeTextMail({
    business,
    to: { name: client.contactName, address: client.email },
    replyTo: { name: seller.name, address: seller.email },
    subject: `La cotización ${label} de ${business.companyName} vence el ${expires}`,
    body: [
      `Hola, ${clientName}:`,
      `Le recordamos que la cotización ${label}, por ${formatMoney(drawing.total, drawing.currency)}, es válida hasta el ${expires}.`,
      `¿Tiene alguna duda o desea un cambio? Responda a este correo y ${sellerName} le atenderá.`,
    ].join('\n\n'),
    messageId,
  });
}
