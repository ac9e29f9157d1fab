import { QuoteShare } from '../models/quote-share.ts';
import { tenantOf, type TenantTransaction } from '../with-tenant.ts';

/** Notes how a share ended: the positions of refused recipients, or null when nothing was sent. The first ending stays. */
export async function closeShare(
  trx: TenantTransaction,
  shareId: string,
  rejected: readonly number[] | null,
): Promise<void> {
  await QuoteShare.query(trx)
    .findOne({ tenantId: tenantOf(trx), id: shareId, status: 'PENDING' })
    .patch({ status: rejected ? 'SENT' : 'FAILED', rejected: [...(rejected ?? [])], closedAt: new Date() });
}
