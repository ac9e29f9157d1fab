import type { PageWriter } from './page-writer.ts';
import { baseline, type Style } from './theme.ts';

const STYLE: Style = { size: 66, color: '#5c6875', bold: true, family: 'Helvetica' };
const OPACITY = 0.1;
/** Half the height of the letters between the font's lowest and highest line, as a share of their size. */
const MIDDLE = 0.2555;

/** Light text across the page, from lower left to upper right. Drawn first on each page, so all else covers it. */
export function drawWatermark({ doc, type, look: { page } }: PageWriter, text: string): void {
  const center = { x: page.width / 2, y: page.height / 2 };
  const foot = center.y + MIDDLE * STYLE.size;
  doc.save().rotate(-52, { origin: [center.x, center.y] });
  doc.fillOpacity(OPACITY);
  type.draw(type.line(text, STYLE), center.x, foot - baseline(STYLE), 'center');
  doc.restore();
}
