import type { LookOfDrawing, QuoteDrawing } from '../../domain/quote-drawing.ts';
import type { PortalQuote } from './find.ts';

/** The drawing as its page shows it: what was signed keeps the business, the look and the bank of its document. */
export function asSigned(drawing: QuoteDrawing, { signature }: Pick<PortalQuote, 'signature'>): QuoteDrawing {
  if (!signature) return drawing;
  const look = signedLook(signature.look);
  // Of older documents it is not known where they say to pay: better nothing than something else.
  if (!look) return { ...drawing, bankInfo: null };
  return {
    ...drawing,
    business: { ...drawing.business, ...look.business },
    branding: look.branding,
    bankInfo: look.bankInfo,
  };
}

/** Where the logo of the page is in storage. */
export function shownLogoKey({ tenant, signature }: Pick<PortalQuote, 'tenant' | 'signature'>): string | null {
  const look = signedLook(signature?.look ?? null);
  return look ? (look.branding?.logoKey ?? null) : tenant.logoKey;
}

// Written by `freezeSigned` and never changed since.
const signedLook = (json: string | null): LookOfDrawing | null =>
  json === null ? null : (JSON.parse(json) as LookOfDrawing);
