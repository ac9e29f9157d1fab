import type { Actor } from '../../domain/caller.ts';

/** The source of an acceptance or rejection, kept as evidence. */
export interface DecisionSource {
  readonly ip: string;
  readonly userAgent: string;
  readonly requestId: string;
}

/** The client as an actor without an account. */
export const portalActor = (tenantId: string, { requestId }: DecisionSource): Actor => ({
  tenantId,
  userId: null,
  kind: 'portal',
  movesQuotesAs: 'portal',
  requestId,
});
