import type PdfKit from 'pdfkit';
import type { Page } from './theme.ts';

const SIZE = 66;
const COLOR = '#5c6875';

/** Light text across the page, from lower left to upper right. Drawn first on each page, so all else covers it. */
export function drawWatermark(doc: InstanceType<typeof PdfKit>, page: Page, text: string): void {
  const center = { x: page.width / 2, y: page.height / 2 };
  doc.save().rotate(-52, { origin: [center.x, center.y] });
  doc.font('Helvetica-Bold', SIZE).fillColor(COLOR, 0.1);
  doc.text(text, center.x - doc.widthOfString(text) / 2, center.y, { lineBreak: false, baseline: 'middle' });
  doc.restore();
  doc.fillOpacity(1);
}
