import type { Sender } from '../../db/pipeline.ts';
import type { Caller } from '../../domain/caller.ts';
import { clientNotFound, productNotFound } from '../../domain/errors.ts';
import { expiryAfter } from '../../domain/expiry.ts';
import { definitionsOf } from './tax-definitions.ts';
import { DEFAULT_TAX_RATE } from '../../domain/money.ts';
import { assertLineTextFits } from '../../domain/quote-size.ts';
import type { Deps } from '../deps.ts';
import { copiedFromProducts } from './copy-from-products.ts';
import { documentFieldsOf, NO_FIELDS } from './document-fields.ts';
import { type QuoteInsertion, quoteInsertion } from './insert.ts';
import { type ContextQuery, type CreateContext, linkedProducts } from './load-create-context.ts';
import { priced } from './pricing.ts';
import type { CreateQuote } from './content-schema.ts';
import { assertCurrency, assertMayUse, chosenExpiry } from './quote-rules.ts';

/** The context that a new quote needs. */
export const contextQueryOf = ({ clientId, items, copyFromProducts }: CreateQuote): ContextQuery => ({
  clientId,
  linked: linkedProducts(items),
  copies: copyFromProducts ?? false,
});

/** Checks a new quote and returns the statements that write it. A create that fails consumes no number. */
export function prepareQuote(
  deps: Pick<Deps, 'secrets' | 'now'>,
  tx: Sender,
  caller: Caller,
  body: CreateQuote,
  context: CreateContext,
): QuoteInsertion {
  assertLineTextFits(body.items);
  const items = body.copyFromProducts ? copiedFromProducts(body.items, context.products) : body.items;
  const { tenant, client } = context;
  const currency = body.currency ?? tenant.currency;
  assertCurrency(currency);
  const { timeZone } = tenant;
  const createdAt = deps.now();
  const expiresAt =
    chosenExpiry(body, { now: createdAt, timeZone }) ?? expiryAfter(createdAt, tenant.quoteValidityDays, timeZone);
  assertMayUse(currency, { plan: caller.plan, businessCurrency: tenant.currency });
  const taxRate = tenant.taxRate ?? DEFAULT_TAX_RATE;
  const fields = documentFieldsOf(body, { ...NO_FIELDS, terms: tenant.defaultTerms || null });
  const { shippingCost, shippingTaxes, discountPct } = body;
  const amounts = priced(
    { items, shippingCost, shippingTaxes, discountPct, deposit: fields.deposit },
    { currency, ...definitionsOf(tenant, taxRate) },
  );
  if (!client) throw clientNotFound();
  if (context.products.size < linkedProducts(body.items).length) throw productNotFound();

  return quoteInsertion(deps, tx, caller, {
    context,
    client,
    priced: amounts,
    currency,
    taxRate,
    notes: body.notes === undefined ? tenant.defaultNotes : (body.notes ?? ''),
    fields,
    createdAt,
    expiresAt,
    timeZone,
    audit: { action: 'create' },
  });
}
