import { send, senderOf } from '../../db/pipeline.ts';
import type { TenantTransaction } from '../../db/with-tenant.ts';
import type { Caller } from '../../domain/caller.ts';
import { clientNotFound } from '../../domain/errors.ts';
import { expiryAfter } from '../../domain/expiry.ts';
import { DEFAULT_TAX_RATE } from '../../domain/money.ts';
import type { Deps } from '../deps.ts';
import { copyAttachments } from '../attachments/copy.ts';
import { attachmentBody } from '../attachments/present.ts';
import { insertQuote } from './insert.ts';
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
  const createdAt = deps.now();
  const { statements, body } = insertQuote(deps, tx, caller, {
    context,
    client,
    priced: priced(source, { taxRate, currency }),
    currency,
    taxRate,
    notes,
    createdAt,
    expiresAt: expiryAfter(createdAt, tenant.quoteValidityDays, tenant.timeZone),
    timeZone: tenant.timeZone,
    audit: {
      action: 'duplicate',
      metadata: { sourceQuoteId: source.id, sourceQuoteNumber: source.quoteNumber },
    },
  });
  await send(trx, statements);
  const attachments = await copyAttachments(trx, source, body.id);
  return { ...body, attachments: attachments.map(attachmentBody) };
}
