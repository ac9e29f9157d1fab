import type { QuoteDrawing } from '../../domain/quote-drawing.ts';
import { drawAttachments } from './attachments-block.ts';
import type { Budget } from './budget.ts';
import { drawCertificate } from './certificate.ts';
import { drawClosing, drawFooters, measureClosing } from './closing.ts';
import { drawNotes, drawTerms } from './notes.ts';
import { drawHeader } from './header.ts';
import { drawItems } from './items-table.ts';
import { logoOnPaper } from './logo-on-paper.ts';
import { openDataUrl, openPicture } from './picture.ts';
import { createPageWriter } from './page-writer.ts';
import { drawSignature } from './signature.ts';
import { drawTotals, measureTotals } from './totals.ts';

/** The input of a drawing. */
export interface QuoteDocument {
  readonly drawing: QuoteDrawing;
  /** PNG or JPEG. */
  readonly logo: Uint8Array | null;
  /** Draws no images: the second try when an image broke the first one. */
  readonly withoutImages: boolean;
}

export interface DrawnQuote {
  /** In memory of its own, not in a pool. */
  readonly pdf: Buffer<ArrayBuffer>;
  /** Images that should be there and could not be drawn. */
  readonly dropped: readonly ('logo' | 'signature')[];
}

/** Draws a quote. Equal input gives equal bytes. CPU only: call it in the rendering thread. */
export async function drawQuote(
  { drawing, logo, withoutImages }: QuoteDocument,
  budget: Budget = () => {},
): Promise<DrawnQuote> {
  const writer = createPageWriter(drawing, budget);
  const { signature } = drawing;
  const isImage = signature?.type === 'drawn' || signature?.data?.startsWith('data:');
  const signed = (isImage && signature?.data) || null;
  const onPaper = logo && !withoutImages ? await logoOnPaper(viewOf(logo), drawing.branding) : null;
  const logoPicture = onPaper ? openPicture(writer.doc, onPaper.file, onPaper.png) : undefined;
  const signedPicture = signed && !withoutImages ? openDataUrl(writer.doc, signed) : undefined;

  drawHeader(writer, drawing, logoPicture ?? null);
  const totals = measureTotals(writer, drawing);
  const closing = measureClosing(writer, drawing);
  // Two lines of small print do not justify a page: they stay with the preceding block.
  drawItems(writer, drawing, totals.height + (hasText(drawing) ? 0 : closing.height));
  drawTotals(writer, totals);
  const hasFiles = drawing.attachments.length > 0;
  const isAfterNotes = hasFiles || drawing.terms !== null;
  drawNotes(writer, writer.texts.quote.notes, drawing.notes, isAfterNotes ? 0 : closing.height);
  drawTerms(writer, drawing.terms, hasFiles ? 0 : closing.height);
  drawAttachments(writer, drawing, closing.height);
  if (signature)
    drawSignature(writer, signature, { picture: signedPicture, reserve: closing.height, reading: drawing });
  drawClosing(writer, closing);
  if (signature?.certificate) {
    drawCertificate(writer, { drawing, signature, certificate: signature.certificate, picture: signedPicture });
  }
  drawFooters(writer, drawing);
  return {
    pdf: await writer.finish(),
    dropped: [
      ...(drawing.branding?.logoKey && !logoPicture ? ['logo' as const] : []),
      ...(signed && !signedPicture ? ['signature' as const] : []),
    ],
  };
}

const hasText = ({ notes, terms, attachments }: QuoteDrawing): boolean =>
  notes.trim() !== '' || terms !== null || attachments.length > 0;

const viewOf = ({ buffer, byteOffset, byteLength }: Uint8Array): Buffer => Buffer.from(buffer, byteOffset, byteLength);
