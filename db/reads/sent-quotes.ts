import type { Knex } from 'knex';
import type { QuoteStatus } from '../../domain/quote-status.ts';

/** A quote as far as telling its lifecycle something needs it. */
export interface SentQuote {
  readonly tenantId: string;
  readonly quoteId: string;
  readonly tenantSlug: string;
  readonly quoteNumber: number;
  readonly status: QuoteStatus;
}

/**
 * A page of a business's SENT quotes that have not expired, in the order of their numbers, after that number (0 for the
 * first page). Their lifecycles re-time the expiry reminders when the setting changes. As the relay's role.
 */
export async function sentQuotesPage(
  knex: Knex,
  tenantId: string,
  { after, limit }: { after: number; limit: number },
): Promise<readonly SentQuote[]> {
  const { rows } = await knex.raw<{ rows: SentQuote[] }>(
    `select q.tenant_id as "tenantId", q.id as "quoteId", t.slug as "tenantSlug",
            q.quote_number as "quoteNumber", q.status
       from quotes q join tenants t on t.id = q.tenant_id
      where q.tenant_id = ? and q.status = 'SENT' and q.quote_number > ? and q.expires_at > now()
      order by q.quote_number limit ?`,
    [tenantId, after, limit],
  );
  return rows;
}
