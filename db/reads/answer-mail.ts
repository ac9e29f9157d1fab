import { type Answer, type AnswerMailKind, answerOf } from '../../domain/answer.ts';
import type { Locale } from '../../domain/locale.ts';
import type { QuoteDrawing } from '../../domain/quote-drawing.ts';
import { Mail } from '../models/mail.ts';
import { Signature } from '../models/signature.ts';
import { Tenant } from '../models/tenant.ts';
import { User } from '../models/user.ts';
import { tenantOf, type TenantTransaction } from '../with-tenant.ts';
import { type FullQuote, readFullQuote } from './full-quote.ts';
import { drawingOf } from './quote-drawing.ts';
import { readSignedFile, type SignedFile } from './signed-file.ts';

/** A mail about an answer that is to be sent. */
export interface WaitingAnswerMail {
  readonly kind: AnswerMailKind;
  readonly answer: Answer;
  /** In the language of the recipient. */
  readonly drawing: QuoteDrawing;
  /** The signed document of an acceptance. */
  readonly signed: SignedFile | undefined;
  /** Undefined for a member who is no longer active. */
  readonly to: { readonly name: string; readonly address: string } | undefined;
}

/** The mail; undefined when it is about something else, was sent or was given up. */
export async function readAnswerMail(trx: TenantTransaction, mailId: string): Promise<WaitingAnswerMail | undefined> {
  const mail = await Mail.query(trx).findOne({ tenantId: tenantOf(trx), id: mailId, status: 'PENDING' });
  if (!mail || (mail.kind !== 'answer_member' && mail.kind !== 'answer_signer')) return undefined;
  const quote = await readFullQuote(trx, mail.quoteId ?? '');
  const answer = quote && answerOf(quote);
  if (!answer) throw new Error('a mail about an answer without one');
  const { locale, to } = await recipientOf(trx, mail, quote);
  return {
    kind: mail.kind,
    answer,
    drawing: { ...(await drawingOf(trx, quote)), locale },
    signed: await readSignedFile(trx, quote),
    to,
  };
}

/** Members read the language of the business, a signer that of the page that they signed. */
async function recipientOf(
  trx: TenantTransaction,
  { userId }: Mail,
  { tenantId, id: quoteId }: FullQuote,
): Promise<{ readonly locale: Locale; readonly to: WaitingAnswerMail['to'] }> {
  if (userId === null) {
    const signature = await Signature.query(trx).findOne({ tenantId, quoteId }).throwIfNotFound();
    return { locale: signature.consentLocale, to: { name: signature.signerName, address: signature.signerEmail } };
  }
  const user = await User.query(trx).findOne({ tenantId, id: userId, isActive: true });
  const { locale } = await Tenant.query(trx).findById(tenantId).throwIfNotFound();
  return { locale, to: user && { name: user.name, address: user.email } };
}
