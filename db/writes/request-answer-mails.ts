import type { AnswerMailKind } from '../../domain/answer.ts';
import { newId } from '../ids.ts';
import { Mail } from '../models/mail.ts';
import type { Quote } from '../models/quote.ts';
import { Tenant } from '../models/tenant.ts';
import type { TenantTransaction } from '../with-tenant.ts';
import { ownersAnd } from './notify.ts';
import { recordEvent } from './record-event.ts';

/** One mail for each recipient of an answer, handed to the outbox in the transaction of the answer. */
export async function requestAnswerMails(
  trx: TenantTransaction,
  { tenantId, id: quoteId, userId: creatorId, status }: Quote,
  requestId: string | null,
): Promise<void> {
  const { notifyOnAnswer } = await Tenant.query(trx).findById(tenantId).throwIfNotFound();
  const members = notifyOnAnswer ? await ownersAnd(trx, creatorId) : [];
  const recipients: { readonly kind: AnswerMailKind; readonly userId: string | null }[] = [
    ...members.map((userId) => ({ kind: 'answer_member' as const, userId })),
    ...(status === 'ACCEPTED' ? [{ kind: 'answer_signer' as const, userId: null }] : []),
  ];
  for (const { kind, userId } of recipients) {
    const id = newId();
    await Mail.query(trx).insert({ id, tenantId, kind, userId, quoteId });
    // The event's id is the mail's: the dispatcher needs nothing else.
    await recordEvent(trx, { id, type: 'mail.requested', data: { mailId: id }, requestId });
  }
}
