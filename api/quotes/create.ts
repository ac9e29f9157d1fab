import type { TenantTransaction } from '../../db/with-tenant.ts';
import type { Caller } from '../../domain/caller.ts';
import { clientNotFound, productNotFound } from '../../domain/errors.ts';
import { expiryAfter } from '../../domain/expiry.ts';
import { DEFAULT_TAX_RATE } from '../../domain/money.ts';
import { assertLineTextFits } from '../../domain/quote-size.ts';
import type { Deps } from '../deps.ts';
import { insertQuote } from './insert.ts';
import { priced } from './pricing.ts';
import type { CreateQuote } from './schema.ts';
import { linkedProducts, startQuote } from './load-create-context.ts';
import { assertCurrency, assertMayUse, chosenExpiry } from './quote-rules.ts';

/**
 * Creates a quote in one transaction: client, amounts, number, rows, audit entry, event. A create that fails consumes
 * no number.
 */
export async function createQuote(
  deps: Pick<Deps, 'secrets' | 'now'>,
  trx: TenantTransaction,
  caller: Caller,
  body: CreateQuote,
) {
  const { tenantId, plan } = caller;
  assertLineTextFits(body.items);
  const linked = linkedProducts(body.items);
  const { tenant, client, start } = await startQuote(trx, { tenantId, clientId: body.clientId, linked });
  const currency = body.currency ?? tenant.currency;
  assertCurrency(currency);
  const { timeZone } = tenant;
  const createdAt = deps.now();
  const expiresAt =
    chosenExpiry(body, { now: createdAt, timeZone }) ?? expiryAfter(createdAt, tenant.quoteValidityDays, timeZone);
  assertMayUse(currency, { plan, businessCurrency: tenant.currency });
  const taxRate = tenant.taxRate ?? DEFAULT_TAX_RATE;
  const amounts = priced(body, { taxRate, currency });
  if (!client) throw clientNotFound();
  if (start.products.size < linked.length) throw productNotFound();

  return insertQuote(deps, trx, caller, {
    start,
    client,
    priced: amounts,
    currency,
    taxRate,
    notes: body.notes === undefined ? tenant.defaultNotes : (body.notes ?? ''),
    createdAt,
    expiresAt,
    timeZone,
    audit: { action: 'create' },
  });
}
