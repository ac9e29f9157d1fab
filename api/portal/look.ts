import type { LookOfDrawing, QuoteDrawing } from '../../domain/quote-drawing.ts';
import type { PortalQuote } from './find.ts';

/** The drawing as its page shows it: what was signed keeps the people, the look, the bank and the days of its document. */
export function asSigned(drawing: QuoteDrawing, { signature }: Pick<PortalQuote, 'signature'>): QuoteDrawing {
  if (!signature) return drawing;
  const look = signedLook(signature.look);
  // Of older documents it is not known where they say to pay: better nothing than something else.
  if (!look) return { ...drawing, bankInfo: null };
  return { ...drawing, ...look, business: { ...drawing.business, ...look.business } };
}

/** Where the logo of the page is in storage. */
export function shownLogoKey({ tenant, signature }: Pick<PortalQuote, 'tenant' | 'signature'>): string | null {
  const look = signedLook(signature?.look ?? null);
  return look ? (look.branding?.logoKey ?? null) : tenant.logoKey;
}

/** Older signatures keep the business, the branding and the bank only. */
type SignedLook = Pick<LookOfDrawing, 'business' | 'branding' | 'bankInfo'> & Partial<LookOfDrawing>;

// Written by `freezeSigned` and never changed since.
const signedLook = (json: string | null): SignedLook | null =>
  json === null ? null : (JSON.parse(json) as SignedLook);
