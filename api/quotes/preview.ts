import { Client } from '../../db/models/client.ts';
import { Tenant } from '../../db/models/tenant.ts';
import type { FullQuote } from '../../db/reads/full-quote.ts';
import type { TenantTransaction } from '../../db/with-tenant.ts';
import type { Caller } from '../../domain/caller.ts';
import { clientNotFound, quoteIsFinal } from '../../domain/errors.ts';
import { expiryAfter } from '../../domain/expiry.ts';
import { DEFAULT_TAX_RATE, decimalString, moneyString } from '../../domain/money.ts';
import { assertFeature } from '../../domain/plans.ts';
import { assertLineTextFits } from '../../domain/quote-size.ts';
import { isFinal } from '../../domain/quote-status.ts';
import { splitCodes, taxesOfQuote } from '../../domain/taxes.ts';
import { dayOf } from '../../domain/zone.ts';
import type { ResponseBody } from '../schema.ts';
import { readAndCopy } from './copy-from-products.ts';
import { documentColumns, documentFieldsOf, NO_FIELDS, storedFields } from './document-fields.ts';
import { activeClient, assertProductsExist } from './lines.ts';
import { clientDetails, type PresentContext } from './present.ts';
import type { PreviewQuote, QuotePreview } from './preview-schema.ts';
import { priced } from './pricing.ts';
import { findVisibleQuote } from './queries.ts';
import { assertCurrency, assertMayUse, chosenExpiry } from './quote-rules.ts';
import { definitionsOf, definitionsOfRevision } from './tax-definitions.ts';

/**
 * Computes a quote as its creation or revision would, with the same checks. Writes nothing and takes no number.
 *
 * @param revisedId the quote that the body would revise, whose taxes are frozen
 */
export async function previewQuote(
  trx: TenantTransaction,
  caller: Caller,
  { body, revisedId, context }: { body: PreviewQuote; revisedId: string | undefined; context: PresentContext },
): Promise<ResponseBody<typeof QuotePreview>> {
  const { tenantId, plan } = caller;
  assertLineTextFits(body.items);
  const chosen = chosenExpiry(body, context);
  const tenant = await Tenant.query(trx).findById(tenantId).throwIfNotFound();
  const revised = revisedId === undefined ? undefined : await revisableQuote(trx, caller, revisedId);
  const currency = body.currency ?? revised?.currency ?? tenant.currency;
  assertCurrency(currency);
  if (currency !== revised?.currency) assertMayUse(currency, { plan, businessCurrency: tenant.currency });
  if (body.clientId !== undefined) await assertClient(trx, tenantId, { clientId: body.clientId, revised });
  const kept = keptFields(tenant, revised);
  const fields = documentFieldsOf(body, kept.fields);
  const { discountPct, shippingTaxes } = body;
  const quote = priced(
    {
      items: body.copyFromProducts ? await readAndCopy(trx, tenantId, body.items) : body.items,
      shippingCost: body.shippingCost,
      shippingTaxes: shippingTaxes === undefined ? kept.shippingTaxes : shippingTaxes,
      discountPct: discountPct ?? kept.discountPct,
      deposit: fields.deposit,
    },
    { currency, ...kept.definitions },
  );
  await assertProductsExist(trx, tenantId, quote);

  const { amounts, items } = quote;
  const expiresAt =
    chosen ?? revised?.expiresAt ?? expiryAfter(context.now, tenant.quoteValidityDays, context.timeZone);
  const { taxRate } = kept.definitions;
  const money = (amount: string) => moneyString(amount, currency);
  return {
    currency,
    taxRate: decimalString(taxRate),
    items: items.map(({ subtotal, counts }) => ({ subtotal: money(subtotal), counts })),
    subtotal: money(amounts.subtotal),
    discount: money(amounts.discount),
    tax: money(amounts.tax),
    shippingCost: money(amounts.shippingCost),
    total: money(amounts.total),
    ...clientDetails({ ...amounts, ...documentColumns(fields), taxRate, currency }),
    notes: body.notes === undefined ? kept.notes : (body.notes ?? ''),
    expiresAt: expiresAt.toISOString(),
    validUntil: dayOf(expiresAt, context.timeZone),
  };
}

async function revisableQuote(trx: TenantTransaction, caller: Caller, id: string): Promise<FullQuote> {
  assertFeature(caller.plan, 'quote_versioning');
  const quote = await findVisibleQuote(trx, caller, id);
  if (isFinal(quote.status)) throw quoteIsFinal(quote.status);
  return quote;
}

/** The client of the revised quote is allowed even if it was deactivated. */
async function assertClient(
  trx: TenantTransaction,
  tenantId: string,
  { clientId, revised }: { clientId: string; revised: FullQuote | undefined },
): Promise<void> {
  if (clientId !== revised?.clientId) await activeClient(trx, tenantId, clientId);
  else if (!(await Client.query(trx).findOne({ tenantId, id: clientId }))) throw clientNotFound();
}

/** What absent members mean: the values of the revised quote, else those of the business. */
function keptFields(tenant: Tenant, revised: FullQuote | undefined) {
  if (!revised) {
    return {
      fields: { ...NO_FIELDS, terms: tenant.defaultTerms || null },
      notes: tenant.defaultNotes,
      shippingTaxes: null,
      discountPct: 0,
      definitions: definitionsOf(tenant, tenant.taxRate ?? DEFAULT_TAX_RATE),
    };
  }
  const { taxRate } = revised;
  return {
    fields: storedFields(revised),
    notes: revised.notes,
    shippingTaxes: splitCodes(revised.shippingTaxes),
    discountPct: revised.discountPct,
    definitions: definitionsOfRevision(tenant, { taxRate, taxes: taxesOfQuote(revised) }),
  };
}
