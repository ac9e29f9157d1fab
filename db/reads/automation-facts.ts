import type { AutomationFacts } from '../../domain/automation.ts';
import { displayNumber } from '../../domain/quote-number.ts';
import { Tenant } from '../models/tenant.ts';
import type { TenantTransaction } from '../with-tenant.ts';
import { tenantOf } from '../with-tenant.ts';
import type { FullQuote } from './full-quote.ts';
import { sellerOf } from './seller.ts';

/** The facts of a quote for conditions and text variables; `url` is the client's page. */
export async function automationFacts(trx: TenantTransaction, quote: FullQuote, url: string): Promise<AutomationFacts> {
  const tenant = await Tenant.query(trx).findById(tenantOf(trx)).throwIfNotFound();
  const { companyName, email, phone, timeZone, locale } = tenant;
  const { client } = quote;
  return {
    quote: {
      quoteNumber: quote.quoteNumber,
      displayNumber: displayNumber(quote),
      status: quote.status,
      subtotal: quote.subtotal,
      tax: quote.tax,
      shippingCost: quote.shippingCost,
      total: quote.total,
      currency: quote.currency,
      notes: quote.notes,
      expiresAt: quote.expiresAt.toISOString(),
      viewCount: quote.viewCount,
      url,
    },
    client: {
      contactName: client.contactName,
      companyName: client.companyName,
      email: client.email,
      phone: client.phone,
    },
    // A condition never holds because of an option that was not chosen.
    items: quote.items
      .filter(({ counts }) => counts)
      .map(({ productName, model, unitPrice, quantity, discountPct }) => ({
        productName,
        model,
        unitPrice,
        quantity,
        discountPct,
      })),
    business: { companyName, email, phone, timeZone, locale },
    user: { name: (await sellerOf(trx, quote, tenant)).name },
  };
}
