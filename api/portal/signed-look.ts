import type { LookOfDrawing, QuoteDrawing } from '../../domain/quote-drawing.ts';
import type { PortalQuote } from './find.ts';

/**
 * The quote as its page shows it. A signed quote keeps the business data, client, appearance, bank and time zone of its
 * document.
 */
export function withSignedLook(drawing: QuoteDrawing, { signature }: Pick<PortalQuote, 'signature'>): QuoteDrawing {
  if (!signature) return drawing;
  const look = signedLook(signature.look);
  // Older signatures did not store the bank details: show none, because the current ones may differ.
  if (!look) return { ...drawing, bankInfo: null };
  return { ...drawing, ...look, business: { ...drawing.business, ...look.business } };
}

/** Storage key of the page's logo. */
export function logoKeyOf({ tenant, signature }: Pick<PortalQuote, 'tenant' | 'signature'>): string | null {
  const look = signedLook(signature?.look ?? null);
  return look ? (look.branding?.logoKey ?? null) : tenant.logoKey;
}

/** Older signatures keep the business, the branding and the bank only. */
type SignedLook = Pick<LookOfDrawing, 'business' | 'branding' | 'bankInfo'> & Partial<LookOfDrawing>;

// Only `freezeSigned` writes it.
const signedLook = (json: string | null): SignedLook | null =>
  json === null ? null : (JSON.parse(json) as SignedLook);
