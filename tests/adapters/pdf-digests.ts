import { createHash } from 'node:crypto';
import { createPdfRenderer } from '../../adapters/pdf/renderer.ts';
import { drawingOf, line } from './pdf-drawings.ts';
import { TEST_PERMIT } from './test-permit.ts';

/** Prints the SHA-256 of one drawing in each kind of font, drawn by a separate process (pdf-structure.test.ts). */

const pdf = createPdfRenderer();
const names = ['Cemento', 'Łódź Жук Ωmega', '水泥袋 시멘트', 'שלום (COT-12)', 'مرحبا ٥٠', '🎉 👨‍👩‍👧'];
for (const name of names) {
  const drawing = drawingOf([line(name)], { watermark: true, notes: 'una nota' });
  process.stdout.write(
    `${createHash('sha256')
      .update(await pdf.render(drawing, TEST_PERMIT))
      .digest('hex')}\n`,
  );
}
await pdf.close();
