import type { Locale } from '../../domain/locale.ts';
import type { MessageMailKind } from '../../domain/messages.ts';
import type { QuoteDrawing } from '../../domain/quote-drawing.ts';
import { Mail } from '../models/mail.ts';
import { Quote } from '../models/quote.ts';
import { QuoteMessage } from '../models/quote-message.ts';
import { Tenant } from '../models/tenant.ts';
import { User } from '../models/user.ts';
import { tenantOf, type TenantTransaction } from '../with-tenant.ts';
import { sealedPortalToken } from './portal-token.ts';
import { readQuoteDrawing } from './quote-drawing.ts';

/** A message whose mail is to be sent. */
export interface WaitingMessage {
  readonly kind: MessageMailKind;
  readonly message: QuoteMessage;
  readonly drawing: QuoteDrawing;
  /** The business's. */
  readonly locale: Locale;
  /** The active member who gets it; undefined for the client. */
  readonly to: { readonly name: string; readonly address: string } | undefined;
  /** Of the last share. */
  readonly shareId: string | null;
  /** Null where the client has no page, or not of this link yet. */
  readonly sealedToken: string | null;
}

/** The message; undefined when the mail carries none, does not exist, was sent or was given up. */
export async function readWaitingMessage(trx: TenantTransaction, mailId: string): Promise<WaitingMessage | undefined> {
  const tenantId = tenantOf(trx);
  const mail = await Mail.query(trx).findOne({ tenantId, id: mailId, status: 'PENDING' });
  if (!mail?.messageId) return undefined;
  const message = await QuoteMessage.query(trx).findOne({ tenantId, id: mail.messageId }).throwIfNotFound();
  const { quoteId } = message;
  const quote = await Quote.query(trx).findOne({ tenantId, id: quoteId }).throwIfNotFound();
  const drawing = await readQuoteDrawing(trx, quoteId);
  if (!drawing) return undefined;
  const { locale } = await Tenant.query(trx).findById(tenantId).throwIfNotFound();
  const user = mail.userId ? await User.query(trx).findOne({ tenantId, id: mail.userId, isActive: true }) : undefined;
  const hasPage = quote.status !== 'GENERATED' && !quote.linkWithheld;
  return {
    kind: message.direction === 'inbound' ? 'change_request' : 'quote_message',
    message,
    drawing,
    locale,
    to: user && { name: user.name, address: user.email },
    shareId: quote.shareId,
    sealedToken: hasPage ? await sealedPortalToken(trx, quoteId) : null,
  };
}
