import type { QuoteDrawing } from '../../domain/quote-drawing.ts';
import { drawClosing, drawFooters, drawNotes } from './closing.ts';
import { drawHeader } from './header.ts';
import { drawItems } from './items-table.ts';
import { createSheet } from './sheet.ts';
import { drawTotals, totalsHeight } from './totals.ts';

/** Draws a quote on A4 pages. Equal drawings give equal bytes. CPU only: call it in the rendering thread. */
export function drawQuote(drawing: QuoteDrawing): Promise<Buffer> {
  const sheet = createSheet(drawing);
  const bytes = collect(sheet.doc);
  drawHeader(sheet, drawing);
  drawItems(sheet, drawing, totalsHeight(drawing));
  drawTotals(sheet, drawing);
  drawNotes(sheet, drawing.notes);
  drawClosing(sheet, drawing);
  drawFooters(sheet, drawing);
  sheet.finish();
  return bytes;
}

function collect(stream: NodeJS.ReadableStream): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    stream.on('data', (chunk: Buffer) => chunks.push(chunk));
    stream.on('end', () => resolve(Buffer.concat(chunks)));
    stream.on('error', reject);
  });
}
