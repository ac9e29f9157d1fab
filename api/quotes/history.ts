import { Signature } from '../../db/models/signature.ts';
import type { TenantTransaction } from '../../db/with-tenant.ts';
import type { Caller } from '../../domain/caller.ts';
import { type QuoteVersionRow, quoteVersion, signatureBody } from './present-history.ts';
import type { Deps } from '../deps.ts';
import type { ListVersions } from './history-schema.ts';
import { findVisibleRow } from './queries.ts';
import { withImage } from './written-signature.ts';

/** The earlier versions of a visible quote, newest first. */
export async function versionsOf(
  trx: TenantTransaction,
  caller: Caller,
  { quoteId, version }: ListVersions & { readonly quoteId: string },
) {
  const { tenantId } = await findVisibleRow(trx, caller, quoteId);
  const rows: QuoteVersionRow[] = await trx('quoteVersions as v')
    .join('users as u', (on) => on.on('u.tenantId', 'v.tenantId').andOn('u.id', 'v.userId'))
    .where({ 'v.tenantId': tenantId, 'v.quoteId': quoteId, ...(version !== undefined && { 'v.version': version }) })
    .orderBy('v.version', 'desc')
    .select('v.id', 'v.version', 'v.snapshot', 'v.createdAt', 'u.name as createdBy');
  return rows.map(quoteVersion);
}

/** The client's signature of a visible quote, or null. */
export async function signatureOf({ withTenant, pdf }: Deps, caller: Caller, quoteId: string) {
  const signature = await withTenant(caller.tenantId, async (trx) => {
    const { tenantId } = await findVisibleRow(trx, caller, quoteId);
    return Signature.query(trx).findOne({ tenantId, quoteId });
  });
  return { signature: signature ? signatureBody(await withImage(pdf, signature)) : null };
}
