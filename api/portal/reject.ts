import type { Quote } from '../../db/models/quote.ts';
import { recordAnswer } from '../../db/writes/record-answer.ts';
import { judgeAnswer } from '../../domain/portal.ts';
import type { Deps } from '../deps.ts';
import { type DecisionSource, portalActor } from './actor.ts';
import { withPortalQuote } from './find.ts';
import type { RejectQuote } from './schema.ts';

/** Rejects the quote, optionally with a reason. Repeating it changes nothing, not even the reason. */
export function rejectQuote(
  deps: Deps,
  { token, body, source }: { token: string; body: RejectQuote; source: DecisionSource },
): Promise<{ status: Quote['status']; version: number }> {
  return withPortalQuote(
    deps,
    token,
    async (trx, { quote }) => {
      const { tenantId, id: quoteId, version } = quote;
      const now = deps.now();
      if (judgeAnswer(quote, { outcome: 'REJECTED' }, now) === 'given') return { status: quote.status, version };
      const reason = body.reason || null;
      await recordAnswer(trx, portalActor(tenantId, source), {
        quoteId,
        outcome: 'REJECTED',
        at: now,
        reason,
        details: { version, reason },
      });
      return { status: 'REJECTED' as const, version };
    },
    { lock: true },
  );
}
