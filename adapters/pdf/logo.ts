import type { QuoteDrawing } from '../../domain/quote-drawing.ts';
import type { Storage } from '../storage.ts';

/**
 * The file of the drawing's logo; null when it has none, or when the file is missing, which must not prevent a quote.
 * Throws StorageUnavailable when the storage cannot be read.
 */
export async function readLogo(
  storage: Pick<Storage, 'get' | 'exists'>,
  { branding }: QuoteDrawing,
): Promise<Buffer | null> {
  const key = branding?.logoKey;
  if (!key) return null;
  try {
    return await storage.get(key);
  } catch (error) {
    if (await storage.exists(key)) throw error;
    return null;
  }
}
