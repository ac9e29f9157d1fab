import { formatMoment, type Reading } from '../../domain/format.ts';
import type { SignatureOfDrawing } from '../../domain/quote-drawing.ts';
import { balancedLines } from './balance.ts';
import { leading } from './theme.ts';
import type { Picture } from './picture.ts';
import type { PageWriter } from './page-writer.ts';
import { capitals } from './plain-text.ts';
import { heightOf, type Line } from './typeset.ts';

const BOX = { width: 210, height: 52 } as const;
/** The smallest size of a typed name. */
const MIN_SIZE = 5;
/** Above this size a name stays on one line. */
const LEAST_ON_ONE_LINE = 15;
const INSET = 4;
const ABOVE = 18;

/**
 * The client's signature over a line, with name and time, on one page with the next block, `reserve` high. Without room
 * it is left to the certificate, which contains all of it on a page of its own.
 */
export function drawSignature(
  writer: PageWriter,
  signature: SignatureOfDrawing,
  {
    picture,
    reserve,
    reading,
  }: {
    readonly picture: Picture | undefined;
    readonly reserve: number;
    readonly reading: Reading;
  },
): void {
  const { type, texts } = writer;
  const { page, style, color } = writer.look;
  const { signerName, signerEmail, signedAt, certificate } = signature;
  const heading = type.line(capitals(texts.quote.acceptance), style.label);
  const name = type.lines(signerName, style.strong, page.contentWidth);
  const how = texts.document.signed(signerName, signerEmail, formatMoment(signedAt, reading));
  const evidence = balancedLines(type, how, style.small, page.contentWidth);
  const height = ABOVE + heading.height + 4 + BOX.height + 5 + heightOf(name) + heightOf(evidence);
  if (height + reserve > writer.room()) {
    if (certificate) return;
    writer.breakPage();
  }
  writer.y += ABOVE;

  const { y } = writer;
  writer.tagged('H2', () => type.draw(heading, page.left, y));
  const bottom = y + heading.height + 4 + BOX.height;
  drawMark(writer, signature, picture, { left: page.left, bottom, ...BOX });
  writer.rule(bottom, { width: 0.8, color: color.muted, to: page.left + BOX.width });
  writer.y = bottom + 5;
  writer.flow('P', name, { align: 'left' });
  writer.flow('P', evidence);
}

interface Box {
  readonly left: number;
  /** Of the line that the signature stands on. */
  readonly bottom: number;
  readonly width: number;
  readonly height: number;
}

/** The drawn signature, or else the typed one, as large as fits. */
export function drawMark(
  writer: PageWriter,
  { type: kind, data, signerName }: SignatureOfDrawing,
  picture: Picture | undefined,
  { left, bottom, width, height }: Box,
): void {
  if (picture) {
    const size = picture.fit(width - INSET, height - INSET);
    const draw = () => picture.draw(left + INSET, bottom - 2 - size.height, size);
    writer.tagged('Figure', draw, undefined, { alt: writer.texts.quote.signatureOf(signerName) });
    return;
  }
  const typed = kind === 'typed' && data && !data.startsWith('data:') ? data : signerName;
  const lines = fitted(writer, typed, { width: width - INSET, height });
  let y = bottom - heightOf(lines);
  writer.tagged('P', () => {
    for (const line of lines) {
      writer.type.draw(line, left + INSET, y);
      y += line.height;
    }
  });
}

/** A typed name as large as its box allows: on one line, or on several when it would be too small there. */
function fitted({ type, look }: PageWriter, text: string, box: { width: number; height: number }): readonly Line[] {
  const { signed } = look.style;
  const oneLine = Math.min(signed.size, (signed.size * box.width) / type.line(text, signed).width);
  if (oneLine >= LEAST_ON_ONE_LINE) return [type.line(text, { ...signed, size: oneLine })];
  for (let size = LEAST_ON_ONE_LINE; size > MIN_SIZE; size -= 1) {
    const lines = type.lines(text, { ...signed, size }, box.width);
    if (heightOf(lines) <= box.height) return balancedLines(type, text, { ...signed, size }, box.width);
  }
  const smallest = { ...signed, size: MIN_SIZE };
  return type.lines(text, smallest, box.width, Math.floor(box.height / leading(smallest)));
}
