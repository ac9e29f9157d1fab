import type { Actor } from '../../domain/caller.ts';

/** Where an answer came from; kept as evidence. */
export interface AnswerSource {
  readonly ip: string;
  readonly userAgent: string;
  readonly requestId: string;
}

/** The client, whom no account stands behind. */
export const portalActor = (tenantId: string, { requestId }: AnswerSource): Actor => ({
  tenantId,
  userId: null,
  kind: 'portal',
  mover: 'portal',
  requestId,
});
