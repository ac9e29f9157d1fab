import { tenantOf, type TenantTransaction } from '../with-tenant.ts';

/** Rows of the business that one counted view clears away at most; each view adds one. */
const CLEARED = 100;

/**
 * Whether this viewer has had no view of the quote counted within the last hour; then this one is. By the database's
 * clock and in one statement, so that it holds for page loads at the same moment and for all processes together.
 */
export async function claimQuoteView(
  trx: TenantTransaction,
  { quoteId, viewer }: { quoteId: string; viewer: string },
): Promise<boolean> {
  const tenantId = tenantOf(trx);
  const { rowCount } = await trx.raw<{ rowCount: number }>(
    `insert into quote_views (tenant_id, quote_id, viewer) values (?, ?, ?)
     on conflict (tenant_id, quote_id, viewer) do update set counted_at = now()
      where quote_views.counted_at <= now() - interval '1 hour'`,
    [tenantId, quoteId, viewer],
  );
  if (rowCount === 0) return false;
  // What is older than an hour decides nothing any more. Skipping locked rows keeps two views from waiting for each other.
  await trx.raw(
    `with old as materialized (
       select tenant_id, quote_id, viewer from quote_views
        where tenant_id = ? and counted_at <= now() - interval '1 hour' limit ? for update skip locked
     )
     delete from quote_views v using old
      where v.tenant_id = old.tenant_id and v.quote_id = old.quote_id and v.viewer = old.viewer`,
    [tenantId, CLEARED],
  );
  return true;
}
