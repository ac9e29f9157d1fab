import { cleanCharacters } from '../../domain/clean-text.ts';
import { type Deposit, depositAmount } from '../../domain/deposit.ts';
import { Decimal, decimalString, moneyString } from '../../domain/money.ts';
import { displayNumber } from '../../domain/quote-number.ts';
import { lineAmount } from '../../domain/quote-totals.ts';
import { appliedTaxes, type TaxKind, taxesOfQuote } from '../../domain/taxes.ts';
import { paperOf } from '../../domain/paper.ts';
import { hasFeature } from '../../domain/plans.ts';
import type {
  BrandingOfDrawing,
  CertificateOfDrawing,
  QuoteDrawing,
  SignatureOfDrawing,
} from '../../domain/quote-drawing.ts';
import type { BankInfo, PdfBranding } from '../../domain/settings.ts';
import type { Quote } from '../models/quote.ts';
import { Signature } from '../models/signature.ts';
import { Tenant } from '../models/tenant.ts';
import type { TenantTransaction } from '../with-tenant.ts';
import { type FullQuote, readFullQuote } from './full-quote.ts';
import { sellerOf } from './seller.ts';

/** All that the quote's PDF and mail show, from current data; undefined when there is no such quote. */
export async function readQuoteDrawing(trx: TenantTransaction, quoteId: string): Promise<QuoteDrawing | undefined> {
  const quote = await readFullQuote(trx, quoteId);
  return quote && drawingOf(trx, quote);
}

/** The same for a quote that has been read already. */
export async function drawingOf(trx: TenantTransaction, quote: FullQuote): Promise<QuoteDrawing> {
  const tenant = await Tenant.query(trx).findById(quote.tenantId).throwIfNotFound();
  const money = (amount: string) => moneyString(amount, quote.currency);
  const branding = hasFeature(tenant.plan, 'pdf_branding') ? brandingOf(tenant) : null;

  return readable({
    paper: tenant.paperSize ?? branding?.paperSize ?? paperOf(tenant.country),
    quoteNumber: quote.quoteNumber,
    displayNumber: displayNumber(quote),
    title: quote.title,
    reference: quote.reference,
    version: quote.version,
    currency: quote.currency,
    createdAt: quote.createdAt.toISOString(),
    expiresAt: quote.expiresAt.toISOString(),
    timeZone: tenant.timeZone,
    locale: quote.client.locale ?? tenant.locale,
    business: {
      companyName: tenant.companyName,
      legalName: tenant.legalName,
      taxId: tenant.taxId,
      country: tenant.country,
      email: tenant.email,
      phone: tenant.phone,
      address: tenant.address,
    },
    seller: await sellerOf(trx, quote, tenant),
    client: {
      ...clientNamesOf(quote),
      email: quote.client.email,
      phone: quote.client.phone,
      address: quote.client.address,
      taxId: quote.client.taxId,
      country: quote.client.country ?? tenant.country,
    },
    ...linesAndDiscount(quote),
    subtotal: money(quote.subtotal),
    taxRate: decimalString(quote.taxRate),
    tax: money(quote.tax),
    taxes: taxesOfDrawing(quote),
    shippingCost: money(quote.shippingCost),
    total: money(quote.total),
    deposit: depositOfDrawing(quote),
    notes: quote.notes,
    attachments: quote.attachments.map(({ name, contentType, sizeBytes, sha256 }) => ({
      name,
      contentType,
      sizeBytes,
      sha256,
    })),
    terms: quote.terms,
    watermark: branding === null,
    branding,
    bankInfo: branding && bankInfoOf(tenant),
    signature: await readSignature(trx, quote),
  });
}

/** Lines before the document's discount, and that discount. */
function linesAndDiscount(quote: FullQuote): Pick<QuoteDrawing, 'lines' | 'discount'> {
  const { currency, items, subtotal } = quote;
  const hasDiscount = Number(quote.discountPct) !== 0;
  const amounts = items.map((item) => (hasDiscount ? lineAmount(item, currency) : new Decimal(item.subtotal)));
  const before = amounts.reduce(
    (sum, amount, index) => (items[index]?.counts ? sum.plus(amount) : sum),
    new Decimal(0),
  );
  return {
    lines: items.map((item, index) => ({
      productName: item.productName,
      model: item.model,
      description: item.description,
      section: item.section,
      unit: item.unit,
      quantity: item.quantity,
      unitPrice: decimalString(item.unitPrice),
      discountPct: decimalString(item.discountPct),
      amount: moneyString(amounts[index] ?? 0, currency),
      optional: item.optional,
      choice: item.choice,
      counts: item.counts,
    })),
    discount: hasDiscount
      ? {
          percent: decimalString(quote.discountPct),
          before: moneyString(before, currency),
          amount: moneyString(before.minus(subtotal), currency),
        }
      : null,
  };
}

const PRINTED_KINDS: readonly TaxKind[] = ['transfer', 'exempt', 'withholding'];

const taxesOfDrawing = (quote: FullQuote): QuoteDrawing['taxes'] =>
  appliedTaxes(taxesOfQuote(quote))
    .map((tax) => ({
      ...tax,
      rate: decimalString(tax.rate),
      base: moneyString(tax.base, quote.currency),
      amount: moneyString(tax.amount, quote.currency),
    }))
    .toSorted((a, b) => PRINTED_KINDS.indexOf(a.kind) - PRINTED_KINDS.indexOf(b.kind));

function depositOfDrawing(quote: FullQuote): QuoteDrawing['deposit'] {
  // Only validated deposits are stored.
  const deposit = quote.deposit === null ? null : (JSON.parse(quote.deposit) as Deposit);
  return (
    deposit && {
      percent: deposit.type === 'percent' ? decimalString(deposit.value) : null,
      amount: moneyString(depositAmount(deposit, quote), quote.currency),
      note: deposit.note,
    }
  );
}

/** The drawing with its texts cleaned: older rows were stored uncleaned. */
function readable<T>(part: T): T {
  // Each part keeps its type, which the compiler cannot see.
  if (typeof part === 'string') return cleanCharacters(part) as T;
  if (Array.isArray(part)) return part.map(readable) as T;
  if (typeof part !== 'object' || part === null) return part;
  return Object.fromEntries(Object.entries(part).map(([name, value]) => [name, readable<unknown>(value)])) as T;
}

/** Until a quote is first sent it follows its client's name, so that a typo can be corrected. */
const clientNamesOf = ({ status, client, clientContactName, clientCompanyName }: FullQuote) =>
  status === 'GENERATED'
    ? { contactName: client.contactName, companyName: client.companyName }
    : { contactName: clientContactName, companyName: clientCompanyName };

// Both columns are written from checked bodies only.
const brandingOf = ({ pdfBranding, logoKey }: Tenant): BrandingOfDrawing => ({
  ...(pdfBranding === null ? {} : (JSON.parse(pdfBranding) as PdfBranding)),
  logoKey,
});

const bankInfoOf = ({ bankInfo }: Tenant): BankInfo | null =>
  bankInfo === null ? null : (JSON.parse(bankInfo) as BankInfo);

/** The signature, if it belongs to the version that is drawn. */
async function readSignature(trx: TenantTransaction, quote: Quote): Promise<SignatureOfDrawing | null> {
  const { tenantId, id: quoteId, version } = quote;
  const signature = await Signature.query(trx).findOne({ tenantId, quoteId, version });
  if (!signature) return null;
  const { type, data, signerName, signerEmail, signedAt } = signature;
  const certificate = certificateOf(signature);
  return { type, data, signerName, signerEmail, signedAt: signedAt.toISOString(), certificate };
}

function certificateOf(signature: Signature): CertificateOfDrawing | null {
  const { id: signatureId, quoteId, consentText, ip, userAgent, snapshotSha256, shownPdfSha256 } = signature;
  if (shownPdfSha256 === null) return null;
  return { signatureId, quoteId, consentText, ip, userAgent, snapshotSha256, shownPdfSha256 };
}
