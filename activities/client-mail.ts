import type { SecretBox } from '../adapters/crypto/secret-box.ts';
import { readLogo } from '../adapters/pdf/logo.ts';
import { isSoundPng } from '../adapters/pdf/png.ts';
import { type Storage, StorageUnavailable } from '../adapters/storage.ts';
import type { QuoteDrawing } from '../domain/quote-drawing.ts';
import { TooSlow, within } from './deadline.ts';

/** What mails to a client need besides the quote itself. */

/** Milliseconds that a mail waits for the logo. */
const LOGO_MS = 400;

/**
 * The logo; null when there is none, when the storage is away or slow, or when the stored file is broken. A mail can do
 * without: the business's name stands in its place.
 */
export async function mailLogo(storage: Storage, drawing: QuoteDrawing): Promise<Buffer | null> {
  try {
    const logo = await within(LOGO_MS, readLogo(storage, drawing));
    return logo && isSoundPng(logo) ? logo : null;
  } catch (error) {
    if (error instanceof StorageUnavailable || error instanceof TooSlow) return null;
    throw error;
  }
}

/** The address of the quote's page; null where the business's plan has none. */
export function portalAddress(
  { secrets, publicUrl }: { readonly secrets: SecretBox; readonly publicUrl: string },
  quoteId: string,
  sealedToken: string | null,
): string | null {
  if (sealedToken === null) return null;
  const token = secrets.open(sealedToken, { purpose: 'public_token', rowId: quoteId });
  return new URL(`/p/${token}`, publicUrl).href;
}
