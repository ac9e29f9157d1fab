import type { QuoteDrawing } from '../../domain/quote-drawing.ts';
import type { Recipient, ShareRecipients } from '../../domain/share.ts';
import { Quote } from '../models/quote.ts';
import { QuoteShare } from '../models/quote-share.ts';
import { tenantOf, type TenantTransaction } from '../with-tenant.ts';

/** The recipients of a share's row; null when the mail goes to the client. */
export const recipientsOfShare = ({ recipients }: Pick<QuoteShare, 'recipients'>): ShareRecipients | null =>
  // Written by the API from a validated body only.
  recipients === null ? null : (JSON.parse(recipients) as ShareRecipients);

/** All recipients in the order to which `rejected` refers. The client is the one of the drawing. */
export function withClient(
  recipients: ShareRecipients | null,
  { client }: Pick<QuoteDrawing, 'client'>,
): { readonly to: readonly Recipient[]; readonly cc: readonly Recipient[] } {
  const ofClient = client.email ? [{ name: client.contactName, address: client.email }] : [];
  return { to: recipients?.to ?? ofClient, cc: recipients?.cc ?? [] };
}

/**
 * To whom the service writes about a quote by itself: the `to` of its last share, without the refused ones. Undefined
 * means the client: it was shared with the client, not by mail, or before it was revised for another client.
 */
export async function lastRecipients(
  trx: TenantTransaction,
  quoteId: string,
): Promise<readonly Recipient[] | undefined> {
  const tenantId = tenantOf(trx);
  const share = await QuoteShare.query(trx)
    .findOne({ tenantId, quoteId, status: 'SENT' })
    .orderBy([
      { column: 'closedAt', order: 'desc' },
      { column: 'id', order: 'desc' },
    ]);
  if (!share) return undefined;
  const quote = await Quote.query(trx).findOne({ tenantId, id: quoteId, clientId: share.clientId });
  const to = recipientsOfShare(share)?.to?.filter((_, position) => !share.rejected.includes(position));
  return quote && to?.length ? to : undefined;
}
