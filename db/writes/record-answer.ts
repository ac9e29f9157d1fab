import type { Actor } from '../../domain/caller.ts';
import { quotePayload } from '../../domain/events.ts';
import type { Outcome } from '../../domain/portal.ts';
import { Quote } from '../models/quote.ts';
import { eventQuote, type FullQuote } from '../reads/full-quote.ts';
import type { TenantTransaction } from '../with-tenant.ts';
import { changeQuoteStatus } from './change-quote-status.ts';
import { recordEvent } from './record-event.ts';
import { requestAnswerMails } from './request-answer-mails.ts';

/** A client's answer to a quote. The caller has checked it, and holds the quote's row lock. */
export interface NewAnswer {
  readonly quoteId: string;
  readonly outcome: Outcome;
  readonly at: Date;
  readonly signerName?: string;
  readonly signerEmail?: string;
  readonly reason?: string | null;
  /** What else the audit entry says. */
  readonly details: object;
}

const EVENT_OF = { ACCEPTED: 'quote.accepted', REJECTED: 'quote.rejected' } as const;

/** Writes the answer with the status, its audit entry, its events and its mails. */
export async function recordAnswer(trx: TenantTransaction, actor: Actor, answer: NewAnswer): Promise<FullQuote> {
  const { quoteId, outcome, at, signerName = null, signerEmail = null, reason = null, details } = answer;
  await Quote.query(trx)
    .findOne({ tenantId: actor.tenantId, id: quoteId })
    .patch({ answeredAt: at, signerName, signerEmail, rejectionReason: reason });
  const answered = await changeQuoteStatus(trx, actor, quoteId, outcome, { details });
  await recordEvent(trx, {
    type: EVENT_OF[outcome],
    quoteId,
    data: { quote: quotePayload(eventQuote(answered)) },
    requestId: actor.requestId,
  });
  await requestAnswerMails(trx, answered, actor.requestId);
  return answered;
}
