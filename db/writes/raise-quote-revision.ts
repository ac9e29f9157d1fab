import { raw } from 'objection';
import { Quote } from '../models/quote.ts';
import type { TenantTransaction } from '../with-tenant.ts';

/** For a change of what belongs to a quote in another table, such as its labels. The caller holds the quote's row lock. */
export const raiseQuoteRevision = (trx: TenantTransaction, { tenantId, id }: Pick<Quote, 'tenantId' | 'id'>) =>
  Quote.query(trx)
    .findOne({ tenantId, id })
    .patch({ revision: raw('revision + 1') });
