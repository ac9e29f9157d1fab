import type { Outcome } from './portal.ts';
import type { QuoteStatus } from './quote-status.ts';

/** A client's answer on the page of a quote. */
export interface Answer {
  readonly outcome: Outcome;
  /** ISO 8601. */
  readonly at: string;
  /** The version that was answered. */
  readonly version: number;
  /** Null for a rejection, which has no signer. */
  readonly signerName: string | null;
  readonly signerEmail: string | null;
  /** Only of a rejection, if the client gave one. */
  readonly reason: string | null;
}

/** The columns of a quote that hold its answer. */
export interface AnswerColumns {
  readonly status: QuoteStatus;
  readonly version: number;
  readonly answeredAt: Date | null;
  readonly signerName: string | null;
  readonly signerEmail: string | null;
}

/** The answer without its reason, for lists. Null for a quote that its client did not answer. */
export function answerInList(quote: AnswerColumns): Omit<Answer, 'reason'> | null {
  const { status, version, answeredAt, signerName, signerEmail } = quote;
  if (answeredAt === null || (status !== 'ACCEPTED' && status !== 'REJECTED')) return null;
  // An answered quote keeps its status and gets no further version.
  return { outcome: status, at: answeredAt.toISOString(), version, signerName, signerEmail };
}

export function answerOf(quote: AnswerColumns & { readonly rejectionReason: string | null }): Answer | null {
  const answer = answerInList(quote);
  return answer && { ...answer, reason: quote.rejectionReason };
}

/** The columns of a new quote. */
export const UNANSWERED = { answeredAt: null, signerName: null, signerEmail: null, rejectionReason: null } as const;

/** Mails about an answer: to the creator and the owners, and to the signer. */
export type AnswerMailKind = 'answer_member' | 'answer_signer';
