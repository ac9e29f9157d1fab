import { invalidTransition } from './errors.ts';

export const QUOTE_STATUSES = ['GENERATED', 'SENT', 'WON', 'LOST', 'ACCEPTED', 'REJECTED'] as const;
export type QuoteStatus = (typeof QUOTE_STATUSES)[number];

/** Who moves a status: a member by PATCH, a sent mail, the client in the portal, an automation. */
export type Mover = 'member' | 'mail' | 'portal' | 'automation';

/** The whole state machine: who may move a quote from where to where. */
const MOVES: Record<Mover, Partial<Record<QuoteStatus, readonly QuoteStatus[]>>> = {
  member: { GENERATED: ['SENT'], SENT: ['WON', 'LOST'] },
  mail: { GENERATED: ['SENT'] },
  portal: { SENT: ['ACCEPTED', 'REJECTED'] },
  automation: { GENERATED: ['SENT'], SENT: ['WON', 'LOST', 'ACCEPTED', 'REJECTED'] },
};

export const canMove = (mover: Mover, from: QuoteStatus, to: QuoteStatus): boolean =>
  MOVES[mover][from]?.includes(to) ?? false;

/** For the API and activities. Workflows ask canMove(): an error thrown there stalls the run. */
export function assertCanMove(mover: Mover, from: QuoteStatus, to: QuoteStatus): void {
  if (!canMove(mover, from, to)) throw invalidTransition(from, to);
}

/** Whether the status is final. */
export const isFinal = (status: QuoteStatus): boolean => status !== 'GENERATED' && status !== 'SENT';
