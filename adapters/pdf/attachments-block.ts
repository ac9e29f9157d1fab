import { ATTACHMENT_TYPE_NAMES } from '../../domain/attachments.ts';
import { formatSize } from '../../domain/format.ts';
import type { QuoteDrawing } from '../../domain/quote-drawing.ts';
import type { PageWriter } from './page-writer.ts';
import { capitals } from './plain-text.ts';
import { heightOf } from './typeset.ts';

const ABOVE = 18;

/** The list of attached files, on one page with the next block, `reserve` high. Five names always fit on a page. */
export function drawAttachments(writer: PageWriter, { attachments, locale }: QuoteDrawing, reserve: number): void {
  if (attachments.length === 0) return;
  const { type, texts } = writer;
  const { page, style } = writer.look;
  const heading = type.line(capitals(texts.quote.attachments), style.label);
  const lines = attachments.flatMap(({ name, contentType, sizeBytes }) => {
    const facts = `${ATTACHMENT_TYPE_NAMES[contentType]}, ${formatSize(sizeBytes, locale)}`;
    return type.lines(`${name}  (${facts})`, style.body, page.contentWidth);
  });
  if (ABOVE + heading.height + 4 + heightOf(lines) + reserve > writer.room()) writer.breakPage();
  else writer.y += ABOVE;
  const { y } = writer;
  writer.tagged('H2', () => type.draw(heading, page.left, y));
  writer.y += heading.height + 4;
  writer.flow('P', lines);
}
