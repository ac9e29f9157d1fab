import { send, senderOf } from '../../db/pipeline.ts';
import type { TenantTransaction } from '../../db/with-tenant.ts';
import type { Caller } from '../../domain/caller.ts';
import { clientNotFound } from '../../domain/errors.ts';
import { expiryAfter } from '../../domain/expiry.ts';
import { DEFAULT_TAX_RATE } from '../../domain/money.ts';
import { taxesOfQuote } from '../../domain/taxes.ts';
import type { Deps } from '../deps.ts';
import { copyAttachments } from '../attachments/copy.ts';
import { attachmentBody } from '../attachments/present.ts';
import { quoteInsertion } from './insert.ts';
import { storedFields } from './document-fields.ts';
import { withFreeNumber } from './number-taken.ts';
import { definitionsOfDuplicate } from './tax-definitions.ts';
import { storedTerms } from './stored-terms.ts';
import { linkedProducts, loadCreateContext } from './load-create-context.ts';
import { priced } from './pricing.ts';
import { lockVisibleQuote } from './queries.ts';

/**
 * Creates a quote with the lines, client, notes, shipping, currency and attachments of another. Number, token, expiry and tax rate
 * are new.
 */
export async function duplicateQuote(
  deps: Pick<Deps, 'secrets' | 'now'>,
  trx: TenantTransaction,
  caller: Caller,
  quoteId: string,
) {
  const tx = senderOf(trx);
  // Locked, so that a concurrent revision is copied completely or not at all.
  const source = await lockVisibleQuote(trx, caller, quoteId);
  const linked = linkedProducts(source.items);
  const context = await loadCreateContext(tx, { clientId: source.clientId, linked });
  const { tenant, client } = context;
  if (!client) throw clientNotFound();
  const taxRate = tenant.taxRate ?? DEFAULT_TAX_RATE;
  const { currency, notes } = source;
  const fields = { ...storedFields(source), internalNotes: null };
  const definitions = definitionsOfDuplicate(tenant, taxRate, taxesOfQuote(source));
  const createdAt = deps.now();
  const { statements, body, headers } = quoteInsertion(deps, tx, caller, {
    context,
    client,
    priced: priced(storedTerms(source), { currency, ...definitions }),
    currency,
    taxRate,
    notes,
    fields,
    createdAt,
    expiresAt: expiryAfter(createdAt, tenant.quoteValidityDays, tenant.timeZone),
    timeZone: tenant.timeZone,
    audit: {
      action: 'duplicate',
      metadata: { sourceQuoteId: source.id, sourceQuoteNumber: source.quoteNumber },
    },
  });
  await withFreeNumber(() => send(trx, statements));
  const attachments = await copyAttachments(trx, source, body.id);
  return { body: { ...body, attachments: attachments.map(attachmentBody) }, headers };
}
