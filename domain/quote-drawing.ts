import type { AttachmentFacts } from './attachments.ts';
import type { Locale } from './locale.ts';
import type { DecimalString } from './money.ts';
import type { PaperSize } from './paper.ts';
import type { BankInfo, PdfBranding } from './settings.ts';
import type { AppliedTax } from './taxes.ts';
import type { Taxpayer } from './tax-id.ts';
import type { TimeZone } from './zone.ts';

/** Everything that a quote's PDF shows, and nothing else: the storage key of the PDF is a fingerprint of it. */
export interface QuoteDrawing {
  readonly paper: PaperSize;
  readonly quoteNumber: number;
  /** The number as people see it. */
  readonly displayNumber: string;
  readonly title: string | null;
  /** The client's own number. */
  readonly reference: string | null;
  readonly version: number;
  /** ISO 4217. */
  readonly currency: string;
  /** ISO 8601, UTC. */
  readonly createdAt: string;
  readonly expiresAt: string;
  /** The business's time zone, for all dates. */
  readonly timeZone: TimeZone;
  /** The language of all texts except those that people entered. */
  readonly locale: Locale;
  readonly business: Taxpayer & {
    readonly companyName: string;
    /** Only where it differs from the name that clients know. */
    readonly legalName: string | null;
    readonly email: string | null;
    readonly phone: string | null;
    readonly address: string | null;
  };
  /** The client's contact. */
  readonly seller: { readonly name: string; readonly email: string };
  readonly client: Taxpayer & {
    readonly contactName: string;
    readonly companyName: string | null;
    readonly email: string | null;
    readonly phone: string | null;
    readonly address: string | null;
  };
  readonly lines: readonly LineOfDrawing[];
  /** Of the document, on the lines; null without one. */
  readonly discount: DiscountOfDrawing | null;
  readonly subtotal: DecimalString;
  /** "0.16" = 16 %. */
  readonly taxRate: DecimalString;
  readonly tax: DecimalString;
  /** Those that apply, in the order in which they are printed. */
  readonly taxes: readonly TaxOfDrawing[];
  readonly shippingCost: DecimalString;
  readonly total: DecimalString;
  readonly deposit: {
    readonly percent: DecimalString | null;
    readonly amount: DecimalString;
    readonly note: string | null;
  } | null;
  readonly notes: string;
  readonly attachments: readonly AttachmentFacts[];
  readonly terms: string | null;
  /** FREE tenants' documents carry a watermark. */
  readonly watermark: boolean;
  /** The PRO tenant's template settings; null on FREE, whatever is stored. */
  readonly branding: BrandingOfDrawing | null;
  /** The PRO tenant's bank account. */
  readonly bankInfo: BankInfo | null;
  readonly signature: SignatureOfDrawing | null;
}

export interface LineOfDrawing {
  readonly productName: string;
  readonly model: string | null;
  readonly description: string | null;
  /** Consecutive lines of the same section share a heading and a subtotal. */
  readonly section: string | null;
  readonly unit: string | null;
  readonly quantity: number;
  readonly unitPrice: DecimalString;
  /** Percent: "25.00" = 25 %. */
  readonly discountPct: DecimalString;
  /** Before the document's discount. */
  readonly amount: DecimalString;
  readonly optional: boolean;
  /** The group of alternatives. */
  readonly choice: string | null;
  /** Whether the line is part of subtotals and totals. */
  readonly counts: boolean;
}

/** A discount on the whole document. */
export interface DiscountOfDrawing {
  /** Percent: "5.00" = 5 %. */
  readonly percent: DecimalString;
  /** The sum of the lines that count, before the discount. */
  readonly before: DecimalString;
  readonly amount: DecimalString;
}

export type TaxOfDrawing = AppliedTax;

export interface BrandingOfDrawing extends PdfBranding {
  /** The logo's storage key; its bytes are passed to the renderer separately. The key names the content of the file. */
  readonly logoKey: string | null;
}

/** The client's signature of this version. */
export interface SignatureOfDrawing {
  readonly type: 'drawn' | 'typed';
  /** A data URL of an image. In older rows of typed signatures it is the text; null means the signer's name. */
  readonly data: string | null;
  readonly signerName: string;
  readonly signerEmail: string;
  /** ISO 8601, UTC. */
  readonly signedAt: string;
  /** Drawn on a page of its own; null for signatures that were made before certificates existed. */
  readonly certificate: CertificateOfDrawing | null;
}

/**
 * The evidence of the signature. All of it is known before the signed document is drawn, so the document can show it.
 */
export interface CertificateOfDrawing {
  readonly signatureId: string;
  readonly quoteId: string;
  /** The sentence that the client agreed to. */
  readonly consentText: string;
  readonly ip: string;
  readonly userAgent: string;
  /** Hex; of the canonical text of what was signed, which the evidence stores. */
  readonly snapshotSha256: string;
  /** Hex; of the PDF as shown before it was signed. The signed file cannot contain its own hash. */
  readonly shownPdfSha256: string;
}

/**
 * The parts of a drawing that come from settings and the client's record, which may change after a signature. They are
 * stored with the signature, for pages that show what was signed. Not the seller, because questions go to the current
 * one; not the locale, because readers choose the language of the page (the signature stores that of the consent text).
 */
export type LookOfDrawing = Pick<QuoteDrawing, 'business' | 'branding' | 'bankInfo' | 'client' | 'timeZone'>;

export const lookOf = ({ business, branding, bankInfo, client, timeZone }: QuoteDrawing): LookOfDrawing => ({
  business,
  branding,
  bankInfo,
  client,
  timeZone,
});

/** COT-12: the quote's name in workflow ids, whatever people see. */
export const quoteLabel = (quoteNumber: number): string => `COT-${quoteNumber}`;

/** The storage key of one drawing's PDF. The key is a fingerprint, so an old file never passes for a new one. */
export const quotePdfKey = (quote: { tenantId: string; quoteId: string }, fingerprint: string): string =>
  `t/${quote.tenantId}/quotes/${quote.quoteId}/${fingerprint}.pdf`;
