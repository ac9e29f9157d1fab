import { ApplicationFailure } from '@temporalio/common';
import { Quote } from '../db/models/quote.ts';
import { markQuoteSent } from '../db/writes/mark-quote-sent.ts';
import type { WithTenant } from '../db/with-tenant.ts';
import { ServiceError } from '../domain/errors.ts';
import type { LifecycleState, QuoteRef, ShareInput } from '../workflows/contract.ts';

/** Short steps in PostgreSQL. */
export const createRecordActivities = ({ withTenant }: { withTenant: WithTenant }) => ({
  /** What the lifecycle shows and waits by; undefined when there is no such quote. */
  async readLifecycleState({ tenantId, quoteId }: QuoteRef): Promise<LifecycleState | undefined> {
    const quote = await withTenant(tenantId, (trx) => Quote.query(trx).findOne({ tenantId, id: quoteId }));
    return (
      quote && {
        quoteNumber: quote.quoteNumber,
        status: quote.status,
        version: quote.version,
        expiresAt: quote.expiresAt.toISOString(),
      }
    );
  },

  /** SENT, audit entry and events, in one transaction. Once for each share id. */
  async markQuoteSent({ quote, shareId, by, requestId }: ShareInput): Promise<void> {
    const actor = { tenantId: quote.tenantId, userId: by.userId, kind: by.kind, mover: 'mail', requestId } as const;
    try {
      await withTenant(quote.tenantId, (trx) => markQuoteSent(trx, actor, quote.quoteId, shareId));
    } catch (error) {
      if (error instanceof ServiceError && error.kind === 'not_found') {
        throw ApplicationFailure.nonRetryable('there is no such quote', 'QuoteGone');
      }
      throw error;
    }
  },
});
export type RecordActivities = ReturnType<typeof createRecordActivities>;
