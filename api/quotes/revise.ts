import { newId } from '../../db/ids.ts';
import { Client } from '../../db/models/client.ts';
import { QuoteItem } from '../../db/models/quote-item.ts';
import { Quote } from '../../db/models/quote.ts';
import { QuoteVersion } from '../../db/models/quote-version.ts';
import { Tenant } from '../../db/models/tenant.ts';
import { type FullQuote, eventQuote, readFullQuote } from '../../db/reads/full-quote.ts';
import { metadataRows } from '../../db/writes/quote-metadata.ts';
import { send } from '../../db/pipeline.ts';
import { recordAudit } from '../../db/writes/record-audit.ts';
import { recordEvent } from '../../db/writes/record-event.ts';
import type { TenantTransaction } from '../../db/with-tenant.ts';
import { type Caller, memberActor } from '../../domain/caller.ts';
import { quoteIsFinal, quoteNotFound, versionChanged } from '../../domain/errors.ts';
import { quotePayload } from '../../domain/events.ts';
import { moneyString } from '../../domain/money.ts';
import type { Metadata } from '../../domain/metadata.ts';
import { splitCodes, taxesOfQuote } from '../../domain/taxes.ts';
import { assertLineTextFits } from '../../domain/quote-size.ts';
import { isFinal } from '../../domain/quote-status.ts';
import type { Deps } from '../deps.ts';
import { type IfMatch, tagged } from '../entity-tag.ts';
import { reviseAttachments } from '../attachments/copy.ts';
import { readAndCopy } from './copy-from-products.ts';
import { newPublicToken } from './public-link.ts';
import { documentColumns, documentFieldsOf, storedFields } from './document-fields.ts';
import { definitionsOfRevision } from './tax-definitions.ts';
import { activeClient, assertProductsExist, insertLines } from './lines.ts';
import { quoteWithNumericAmounts, versionSnapshot } from './present.ts';
import { priced, type PricedQuote } from './pricing.ts';
import { lockVisibleQuote } from './queries.ts';
import type { ReviseQuote } from './content-schema.ts';
import { assertMayUse, chosenExpiry } from './quote-rules.ts';
import { assertMatches, labelsOfQuote, quoteTag } from './tag.ts';

/**
 * Creates a new version of an open quote and stores the old one as a snapshot. Number, status, creator and tax rate are
 * unchanged; so are absent notes, currency and expiry. Nothing is mailed.
 */
export async function reviseQuote(
  { secrets, now }: Pick<Deps, 'secrets' | 'now'>,
  trx: TenantTransaction,
  caller: Caller,
  { quoteId, body, ifMatch }: { quoteId: string; body: ReviseQuote; ifMatch: IfMatch | undefined },
) {
  const { tenantId } = caller;
  assertLineTextFits(body.items);
  // Checked before waiting for the row's lock, which must not turn a future expiry into a past one.
  const clock = { now: now(), timeZone: caller.timeZone };
  const expiresAt = chosenExpiry(body, clock);
  const tenant = await Tenant.query(trx).findById(tenantId).throwIfNotFound();
  if (body.currency !== undefined)
    assertMayUse(body.currency, { plan: caller.plan, businessCurrency: tenant.currency });
  const before = await lockVisibleQuote(trx, caller, quoteId);
  await assertMatches(trx, before, { ifMatch, context: clock });
  if (body.version !== undefined && body.version !== before.version) throw versionChanged();
  const currency = body.currency ?? before.currency;
  const fields = documentFieldsOf(body, storedFields(before));
  const terms = {
    items: body.copyFromProducts ? await readAndCopy(trx, tenantId, body.items) : body.items,
    shippingCost: body.shippingCost,
    shippingTaxes: body.shippingTaxes === undefined ? splitCodes(before.shippingTaxes) : body.shippingTaxes,
    discountPct: body.discountPct ?? before.discountPct,
    deposit: fields.deposit,
  };
  const frozen = { taxRate: before.taxRate, taxes: taxesOfQuote(before) };
  const amounts = priced(terms, { currency, ...definitionsOfRevision(tenant, frozen) });
  const client = await clientOf(trx, before, body.clientId);
  await assertProductsExist(trx, tenantId, amounts);
  if (isFinal(before.status)) throw quoteIsFinal(before.status);

  await keepSnapshot(trx, caller, before);
  await Quote.query(trx)
    .findOne({ tenantId, id: quoteId })
    .patch({
      ...amounts.amounts,
      ...documentColumns(fields),
      version: before.version + 1,
      clientId: client.id,
      clientContactName: client.contactName,
      clientCompanyName: client.companyName,
      formerClientNames: null,
      currency,
      notes: body.notes === undefined ? before.notes : (body.notes ?? ''),
      expiresAt: expiresAt ?? before.expiresAt,
      updatedAt: new Date(),
      // The old link belongs to the previous client, who must not see the offer for the new one.
      ...(client.id !== before.clientId && { ...newPublicToken(secrets, quoteId), linkWithheld: true }),
    });
  await replaceLines(trx, { tenantId, quoteId }, amounts);
  await reviseAttachments(trx, caller, { before, ids: body.attachmentIds });
  if (body.metadata !== undefined) await replaceMetadata(trx, { tenantId, quoteId }, fields.metadata);

  const after = await readFullQuote(trx, quoteId);
  if (!after) throw quoteNotFound();
  await recordRevision(trx, caller, { before, after });
  const revised = quoteWithNumericAmounts(after, clock);
  const { name, email } = after.user;
  const foreign = { ...revised, user: { name, email }, labels: await labelsOfQuote(trx, after) };
  return tagged(revised, quoteTag(after.revision, foreign));
}

/** The current client of the quote is allowed even if it was deactivated. */
async function clientOf(trx: TenantTransaction, quote: Quote, clientId: string): Promise<Client> {
  const { tenantId } = quote;
  if (clientId !== quote.clientId) return activeClient(trx, tenantId, clientId);
  return Client.query(trx).findOne({ tenantId, id: clientId }).throwIfNotFound();
}

async function keepSnapshot(trx: TenantTransaction, { tenantId, userId }: Caller, before: FullQuote): Promise<void> {
  await QuoteVersion.query(trx).insert({
    id: newId(),
    tenantId,
    quoteId: before.id,
    version: before.version,
    snapshot: JSON.stringify(versionSnapshot(before)),
    userId,
  });
}

async function replaceLines(
  trx: TenantTransaction,
  quote: { tenantId: string; quoteId: string },
  amounts: PricedQuote,
): Promise<void> {
  await QuoteItem.query(trx).delete().where(quote);
  await insertLines(trx, quote, amounts);
}

async function replaceMetadata(
  trx: TenantTransaction,
  quote: { tenantId: string; quoteId: string },
  metadata: Metadata,
): Promise<void> {
  await trx('quoteMetadata').delete().where(quote);
  await send(trx, metadataRows(quote, metadata));
}

async function recordRevision(
  trx: TenantTransaction,
  caller: Caller,
  { before, after }: { before: FullQuote; after: FullQuote },
): Promise<void> {
  const summaryOf = ({ version, clientId, currency, total, expiresAt }: Quote) => ({
    version,
    clientId,
    currency,
    total: moneyString(total, currency),
    expiresAt: expiresAt.toISOString(),
  });
  await recordAudit(trx, memberActor(caller), {
    action: 'quote.revised',
    entity: 'quote',
    entityId: after.id,
    metadata: { quoteNumber: after.quoteNumber, before: summaryOf(before), after: summaryOf(after) },
  });
  const event = {
    quoteId: after.id,
    data: { quote: quotePayload(eventQuote(after)) },
    requestId: caller.requestId,
  };
  await recordEvent(trx, { type: 'quote.revised', ...event });
  await recordEvent(trx, { type: 'quote.version_created', ...event });
}
