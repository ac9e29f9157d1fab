import { hashToken, newToken } from '../../adapters/crypto/tokens.ts';
import { isId, newId } from '../../db/ids.ts';
import { Client } from '../../db/models/client.ts';
import { Product } from '../../db/models/product.ts';
import { Tenant } from '../../db/models/tenant.ts';
import { quoteFacts, readFullQuote } from '../../db/reads/quote-facts.ts';
import { allocateQuoteNumber } from '../../db/writes/allocate-quote-number.ts';
import { recordAudit } from '../../db/writes/record-audit.ts';
import { recordEvent } from '../../db/writes/record-event.ts';
import type { TenantTransaction } from '../../db/with-tenant.ts';
import { type Caller, memberActor } from '../../domain/caller.ts';
import { clientNotFound, productNotFound, quoteNotFound } from '../../domain/errors.ts';
import { quotePayload } from '../../domain/events.ts';
import { DEFAULT_TAX_RATE, decimalString } from '../../domain/money.ts';
import { assertFeature } from '../../domain/plans.ts';
import type { Deps } from '../deps.ts';
import { createdQuote } from './present.ts';
import { assertCurrency, expiryFrom } from './terms.ts';
import { priced, type PricedQuote } from './pricing.ts';
import type { CreateQuote } from './schema.ts';

/**
 * A new quote in one transaction: client visible, amounts, number, rows, audit entry, event. A create that fails
 * consumes no number (decisions, section 3).
 */
export async function createQuote(
  { secrets }: Pick<Deps, 'secrets'>,
  trx: TenantTransaction,
  caller: Caller,
  body: CreateQuote,
) {
  const { tenantId } = caller;
  const publicToken = newToken();
  const quoteId = newId();

  const tenant = await Tenant.query(trx).findById(tenantId).throwIfNotFound();
  const currency = body.currency ?? tenant.currency;
  assertCurrency(currency);
  const expiresAt = expiryFrom(body.expiresAt, tenant.quoteValidityDays);
  if (currency !== tenant.currency) assertFeature(caller.plan, 'multi_currency');
  const taxRate = tenant.taxRate ?? DEFAULT_TAX_RATE;
  const quote = priced(body, { taxRate, currency });

  const client = await activeClient(trx, tenantId, body.clientId);
  await assertProductsExist(trx, tenantId, body);

  // Late, for its row stays locked until the commit.
  const quoteNumber = await allocateQuoteNumber(trx);
  await trx('quotes').insert({
    id: quoteId,
    tenantId,
    quoteNumber,
    clientId: client.id,
    clientContactName: client.contactName,
    clientCompanyName: client.companyName,
    userId: caller.userId,
    currency,
    taxRate: decimalString(taxRate),
    ...quote.amounts,
    notes: body.notes ?? tenant.defaultNotes,
    expiresAt,
    publicTokenHash: hashToken(publicToken),
    publicTokenSealed: secrets.seal(publicToken, quoteId),
  });
  await trx('quoteItems').insert(itemRows(tenantId, quoteId, quote));

  const full = await readFullQuote(trx, quoteId);
  if (!full) throw quoteNotFound();
  await recordAudit(trx, memberActor(caller), {
    action: 'create',
    entity: 'quote',
    entityId: quoteId,
    metadata: { quoteNumber, total: full.total, currency, clientId: client.id },
  });
  await recordEvent(trx, {
    type: 'quote.created',
    quoteId,
    data: { quote: quotePayload(quoteFacts(full)) },
    requestId: caller.requestId,
  });
  return createdQuote(full, publicToken);
}

async function activeClient(trx: TenantTransaction, tenantId: string, clientId: string): Promise<Client> {
  const client = isId(clientId) && (await Client.query(trx).findOne({ tenantId, id: clientId, isActive: true }));
  if (!client) throw clientNotFound();
  return client;
}

/** A line may link to a product of the same business; one query for all lines. */
async function assertProductsExist(trx: TenantTransaction, tenantId: string, { items }: CreateQuote): Promise<void> {
  const linked = new Set(items.flatMap(({ productId }) => productId || []));
  if (linked.size === 0) return;
  const found = await Product.query(trx)
    .where({ tenantId })
    .whereIn('id', [...linked])
    .resultSize();
  if (found < linked.size) throw productNotFound();
}

const itemRows = (tenantId: string, quoteId: string, { items }: PricedQuote) =>
  items.map((item, position) => ({ id: newId(), tenantId, quoteId, position, ...item }));
