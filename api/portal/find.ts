import { hashToken } from '../../adapters/crypto/tokens.ts';
import { Quote } from '../../db/models/quote.ts';
import { Signature } from '../../db/models/signature.ts';
import { Tenant } from '../../db/models/tenant.ts';
import { type FullQuote, readFullQuote } from '../../db/reads/full-quote.ts';
import type { TenantTransaction } from '../../db/with-tenant.ts';
import { quoteNotFound } from '../../domain/errors.ts';
import { hasFeature } from '../../domain/plans.ts';
import type { Deps } from '../deps.ts';

/** The records behind a public token. */
export interface PortalQuote {
  readonly quote: FullQuote;
  readonly tenant: Tenant;
  readonly signature: Signature | undefined;
}

const TOKEN = /^[\w-]{43}$/;

/**
 * Runs the work with the quote of a public token, in a transaction of its business. Unknown and replaced tokens, quotes
 * that were never sent and businesses without the plan get the same 404, which reveals nothing to guessers.
 *
 * @param options.lock locks the quote's row until the work is done
 */
export async function withPortalQuote<T>(
  { lookups, withTenant }: Pick<Deps, 'lookups' | 'withTenant'>,
  token: string,
  work: (trx: TenantTransaction, found: PortalQuote) => Promise<T>,
  { lock = false }: { lock?: boolean } = {},
): Promise<T> {
  const publicTokenHash = hashToken(token);
  const found = TOKEN.test(token) ? await lookups.quoteByToken(publicTokenHash) : undefined;
  if (!found) throw quoteNotFound();
  const { tenantId, quoteId } = found;
  const read = async (trx: TenantTransaction) => {
    // Compare the token again: the link may have been replaced since the look-up.
    const row = Quote.query(trx).findOne({ tenantId, id: quoteId, publicTokenHash });
    const current = await (lock ? row.forUpdate() : row);
    const tenant = await Tenant.query(trx).findById(tenantId);
    if (!current || current.status === 'GENERATED') throw quoteNotFound();
    if (!tenant || !hasFeature(tenant.plan, 'client_portal')) throw quoteNotFound();
    const quote = await readFullQuote(trx, quoteId);
    if (!quote) throw quoteNotFound();
    const signature = await Signature.query(trx).findOne({ tenantId, quoteId, version: quote.version });
    return work(trx, { quote, tenant, signature });
  };
  // Readers get a consistent snapshot without locks.
  return withTenant(tenantId, read, { isSnapshot: !lock });
}
