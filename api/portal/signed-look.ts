import type { LookOfDrawing, QuoteDrawing } from '../../domain/quote-drawing.ts';
import type { PortalQuote } from './find.ts';

/** The quote as its page shows it. A signed quote keeps the business data, appearance and bank of its document. */
export function withSignedLook(drawing: QuoteDrawing, { signature }: Pick<PortalQuote, 'signature'>): QuoteDrawing {
  if (!signature) return drawing;
  const look = signedLook(signature.look);
  // Older signatures did not store the bank details: show none, because the current ones may differ.
  if (!look) return { ...drawing, bankInfo: null };
  return {
    ...drawing,
    business: { ...drawing.business, ...look.business },
    branding: look.branding,
    bankInfo: look.bankInfo,
  };
}

/** Storage key of the page's logo. */
export function logoKeyOf({ tenant, signature }: Pick<PortalQuote, 'tenant' | 'signature'>): string | null {
  const look = signedLook(signature?.look ?? null);
  return look ? (look.branding?.logoKey ?? null) : tenant.logoKey;
}

// Only `freezeSigned` writes it.
const signedLook = (json: string | null): LookOfDrawing | null =>
  json === null ? null : (JSON.parse(json) as LookOfDrawing);
