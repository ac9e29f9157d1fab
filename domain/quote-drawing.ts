import type { Locale } from './locale.ts';
import type { DecimalString } from './money.ts';
import type { PaperSize } from './paper.ts';
import type { BankInfo, PdfBranding } from './settings.ts';
import type { Taxpayer } from './tax-id.ts';
import type { TimeZone } from './zone.ts';

/** Everything that a quote's PDF shows, and nothing else: the stored file's key is a fingerprint of it. */
export interface QuoteDrawing {
  readonly paper: PaperSize;
  readonly quoteNumber: number;
  readonly version: number;
  /** ISO 4217. */
  readonly currency: string;
  /** ISO 8601, UTC. */
  readonly createdAt: string;
  readonly expiresAt: string;
  /** Whose days and hours are shown: the business's. */
  readonly timeZone: TimeZone;
  /** The language of everything but people's own texts. */
  readonly locale: Locale;
  readonly business: Taxpayer & {
    readonly companyName: string;
    /** Where it is not the name that clients know. */
    readonly legalName: string | null;
    readonly email: string | null;
    readonly phone: string | null;
    readonly address: string | null;
  };
  /** Whom the client is to ask. */
  readonly seller: { readonly name: string; readonly email: string };
  readonly client: Taxpayer & {
    readonly contactName: string;
    readonly companyName: string | null;
    readonly email: string | null;
    readonly phone: string | null;
    readonly address: string | null;
  };
  readonly lines: readonly {
    readonly productName: string;
    readonly model: string | null;
    readonly quantity: number;
    readonly unitPrice: DecimalString;
    /** Percent: "25.00" = 25 %. */
    readonly discountPct: DecimalString;
    readonly amount: DecimalString;
  }[];
  readonly subtotal: DecimalString;
  /** "0.16" = 16 %. */
  readonly taxRate: DecimalString;
  readonly tax: DecimalString;
  readonly shippingCost: DecimalString;
  readonly total: DecimalString;
  readonly notes: string;
  /** FREE tenants' documents carry one (spec, section 4 rule 3). */
  readonly watermark: boolean;
  /** How a PRO tenant wants it to look; null on FREE, whatever is stored. */
  readonly branding: BrandingOfDrawing | null;
  /** Where a PRO tenant is paid. */
  readonly bankInfo: BankInfo | null;
  readonly signature: SignatureOfDrawing | null;
}

export interface BrandingOfDrawing extends PdfBranding {
  /** Where the logo is in storage; its bytes are given to the renderer. The key names the content of the file. */
  readonly logoKey: string | null;
}

/** The client's signature of this version. */
export interface SignatureOfDrawing {
  readonly type: 'drawn' | 'typed';
  /** A data URL of an image; in older rows of typed ones the text, null for the signer's name. */
  readonly data: string | null;
  readonly signerName: string;
  readonly signerEmail: string;
  /** ISO 8601, UTC. */
  readonly signedAt: string;
  /** Drawn on a page of its own; null for signatures from before there was one. */
  readonly certificate: CertificateOfDrawing | null;
}

/** What proves the signature. All of it is known before the signed document is drawn, so the document can say it. */
export interface CertificateOfDrawing {
  readonly signatureId: string;
  readonly quoteId: string;
  /** The sentence that was agreed to. */
  readonly consentText: string;
  readonly ip: string;
  readonly userAgent: string;
  /** Hex; of the text that the evidence keeps as what was signed. */
  readonly snapshotSha256: string;
  /** Hex; of the PDF as it was shown, before it was signed. The signed file's own cannot stand inside of it. */
  readonly shownPdfSha256: string;
}

/** What of a drawing only the business's settings say. It is kept with a signature, for pages that show what was signed. */
export type LookOfDrawing = Pick<QuoteDrawing, 'business' | 'branding' | 'bankInfo'>;

export const lookOf = ({ business, branding, bankInfo }: QuoteDrawing): LookOfDrawing => ({
  business,
  branding,
  bankInfo,
});

/** COT-12: how people name a quote, and its file. */
export const quoteLabel = (quoteNumber: number): string => `COT-${quoteNumber}`;

/** Where the PDF of one drawing is stored. The key names what is drawn, so an old file never passes for a new one. */
export const quotePdfKey = (quote: { tenantId: string; quoteId: string }, fingerprint: string): string =>
  `t/${quote.tenantId}/quotes/${quote.quoteId}/${fingerprint}.pdf`;
