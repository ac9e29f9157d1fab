import { hashToken, newToken } from '../../adapters/crypto/tokens.ts';
import { Quote } from '../../db/models/quote.ts';
import { recordAudit } from '../../db/writes/record-audit.ts';
import type { TenantTransaction } from '../../db/with-tenant.ts';
import { type Caller, memberActor } from '../../domain/caller.ts';
import type { Deps } from '../deps.ts';
import { findVisibleRow, lockVisibleQuote } from './queries.ts';

/** The columns of a new token; writing them invalidates the old link. */
export function newPublicToken(secrets: Deps['secrets'], quoteId: string, publicToken = newToken()) {
  const publicTokenSealed = secrets.seal(publicToken, { purpose: 'public_token', rowId: quoteId });
  return { publicTokenHash: hashToken(publicToken), publicTokenSealed };
}

/** The public link of a visible quote. */
export async function linkOf({ secrets, config }: Deps, trx: TenantTransaction, caller: Caller, quoteId: string) {
  const { publicTokenSealed } = await findVisibleRow(trx, caller, quoteId);
  return link(config.PUBLIC_URL, secrets.open(publicTokenSealed, { purpose: 'public_token', rowId: quoteId }));
}

/** Replaces the public link; the old one becomes invalid. Nothing is mailed. */
export async function rotateLink({ secrets, config }: Deps, trx: TenantTransaction, caller: Caller, quoteId: string) {
  const { tenantId, quoteNumber } = await lockVisibleQuote(trx, caller, quoteId);
  const publicToken = newToken();
  await Quote.query(trx)
    .findOne({ tenantId, id: quoteId })
    .patch({ ...newPublicToken(secrets, quoteId, publicToken), updatedAt: new Date() });
  await recordAudit(trx, memberActor(caller), {
    action: 'rotate',
    entity: 'quote',
    entityId: quoteId,
    metadata: { quoteNumber, member: 'publicToken' },
  });
  return link(config.PUBLIC_URL, publicToken);
}

const link = (origin: string, publicToken: string) => ({
  publicToken,
  url: new URL(`/p/${publicToken}`, origin).href,
});
