import type { FullQuote } from '../../db/reads/full-quote.ts';
import { decimalString, moneyString } from '../../domain/money.ts';
import { canRespond, hasLapsed } from '../../domain/portal.ts';
import { displayNumber } from '../../domain/quote-number.ts';
import { addedToItem } from '../../domain/events.ts';
import { isSelected } from '../../domain/quote-options.ts';
import { clientDetails } from '../quotes/present.ts';
import { dayOf } from '../../domain/zone.ts';
import { attachmentBody } from '../attachments/present.ts';
import type { PortalQuote } from './find.ts';
import { logoKeyOf } from './signed-look.ts';
import type { ResponseBody } from '../schema.ts';
import type { PortalQuoteBody, TotalsBody } from './schema.ts';

/** Path of the logo on our own origin, which does not expire. Null without a logo. */
export const logoPath = (token: string, logoKey: string | null): string | null =>
  logoKey === null ? null : `/p/${token}/logo`;

/** The quote as its client may see it. */
export function portalQuote(
  found: PortalQuote,
  { token, origin, now }: PortalRequest,
): ResponseBody<typeof PortalQuoteBody> {
  const { quote, tenant, signature } = found;
  const money = (amount: string) => moneyString(amount, quote.currency);
  const logo = logoPath(token, logoKeyOf(found));
  return {
    quoteNumber: quote.quoteNumber,
    displayNumber: displayNumber(quote),
    title: quote.title,
    reference: quote.reference,
    version: quote.version,
    status: quote.status,
    isExpired: hasLapsed(quote, now),
    canRespond: canRespond(quote, now),
    business: {
      companyName: tenant.companyName,
      email: tenant.email,
      phone: tenant.phone,
      logoUrl: logo && new URL(logo, origin).href,
    },
    client: { contactName: quote.clientContactName, companyName: quote.clientCompanyName },
    items: quote.items.map((item) => ({
      id: item.id,
      productName: item.productName,
      model: item.model,
      unitPrice: decimalString(item.unitPrice),
      quantity: item.quantity,
      discountPct: decimalString(item.discountPct),
      subtotal: money(item.subtotal),
      ...addedToItem(item),
    })),
    subtotal: money(quote.subtotal),
    discount: money(quote.discount),
    ...clientDetails(quote),
    tax: money(quote.tax),
    shippingCost: money(quote.shippingCost),
    total: money(quote.total),
    currency: quote.currency,
    notes: quote.notes,
    attachments: quote.attachments.map(attachmentBody),
    expiresAt: quote.expiresAt.toISOString(),
    validUntil: dayOf(quote.expiresAt, tenant.timeZone),
    signature: signature ? { signerName: signature.signerName, signedAt: signature.signedAt.toISOString() } : null,
  };
}

/** The amounts of a quote under a selection. */
export function totalsBody(quote: FullQuote): ResponseBody<typeof TotalsBody> {
  const money = (amount: string) => moneyString(amount, quote.currency);
  const { taxes, deposit } = clientDetails(quote);
  return {
    version: quote.version,
    currency: quote.currency,
    items: quote.items.map((item) => ({
      id: item.id,
      optional: item.optional,
      choice: item.choice,
      selected: isSelected(item),
      counts: item.counts,
      subtotal: money(item.subtotal),
    })),
    subtotal: money(quote.subtotal),
    discount: money(quote.discount),
    taxes,
    tax: money(quote.tax),
    shippingCost: money(quote.shippingCost),
    total: money(quote.total),
    deposit,
  };
}

interface PortalRequest {
  readonly token: string;
  /** PUBLIC_URL. */
  readonly origin: string;
  readonly now: Date;
}
