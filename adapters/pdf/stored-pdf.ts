import { type QuoteDrawing, quotePdfKey } from '../../domain/quote-drawing.ts';
import type { Storage } from '../storage.ts';
import { fingerprint } from './fingerprint.ts';
import { readLogo } from './logo.ts';

/** A quote whose PDF is to be in the storage. */
export interface PdfOfQuote {
  readonly tenantId: string;
  readonly quoteId: string;
  readonly drawing: QuoteDrawing;
}

export interface StoredPdfDeps {
  readonly storage: Storage;
  readonly render: (logo: Buffer | null) => Promise<Buffer>;
  /** Writes the row of the file. */
  readonly record: (file: { readonly storageKey: string; readonly pdf: Buffer }) => Promise<void>;
}

/** Draws and stores the PDF unless it is stored. Returns its key, and the bytes if they were drawn now. */
export async function ensureStoredPdf(
  { storage, render, record }: StoredPdfDeps,
  { drawing, ...quote }: PdfOfQuote,
): Promise<{ readonly storageKey: string; readonly drawn?: Buffer }> {
  const storageKey = quotePdfKey(quote, fingerprint(drawing));
  if (await storage.exists(storageKey)) return { storageKey };
  const drawn = await render(await readLogo(storage, drawing));
  // The row first: an object without one would never get it, while a row without its object gets it next time.
  await record({ storageKey, pdf: drawn });
  await storage.put(storageKey, drawn, 'application/pdf');
  return { storageKey, drawn };
}
