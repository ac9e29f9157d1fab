import type { QuoteStatus } from '../../domain/quote-status.ts';
import { tenantOf, type TenantTransaction } from '../with-tenant.ts';

/** What is needed to signal a quote's lifecycle workflow. */
export interface SentQuote {
  readonly tenantId: string;
  readonly quoteId: string;
  readonly tenantSlug: string;
  readonly quoteNumber: number;
  readonly status: QuoteStatus;
}

/** A page of the tenant's unexpired SENT quotes after that number, in order of their numbers. */
export async function sentQuotesPage(
  trx: TenantTransaction,
  { after, limit }: { after: number; limit: number },
): Promise<readonly SentQuote[]> {
  const { rows } = await trx.raw<{ rows: SentQuote[] }>(
    `select q.tenant_id as "tenantId", q.id as "quoteId", t.slug as "tenantSlug",
            q.quote_number as "quoteNumber", q.status
       from quotes q join tenants t on t.id = q.tenant_id
      where q.tenant_id = ? and q.status = 'SENT' and q.quote_number > ? and q.expires_at >= now()
      order by q.quote_number limit ?`,
    [tenantOf(trx), after, limit],
  );
  return rows;
}
