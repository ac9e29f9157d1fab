import { formatMoment, type Reading } from '../../domain/format.ts';
import type { SignatureOfDrawing } from '../../domain/quote-drawing.ts';
import type { Picture } from './picture.ts';
import type { Sheet } from './sheet.ts';
import { heightOf } from './typeset.ts';

const BOX = { width: 210, height: 52 } as const;
/** Size of a typed name that is too long for its box. */
const SMALLEST = 11;
const INSET = 4;
const ABOVE = 18;

/**
 * The client's signature over a line, with who gave it and when, on one page with what follows, `reserve` high. Where
 * there is no room it is left to the certificate, which has all of it and a page of its own.
 */
export function drawSignature(
  sheet: Sheet,
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
  const { type } = sheet;
  const { page, style, color } = sheet.look;
  const { signerName, signerEmail, signedAt, certificate } = signature;
  const heading = type.line('FIRMA DE ACEPTACIÓN', style.label);
  const name = type.lines(signerName, style.strong, page.contentWidth, 2);
  const how = `Firmado electrónicamente por ${signerName} (${signerEmail}) el ${formatMoment(signedAt, reading)}.`;
  const evidence = type.lines(how, style.small, page.contentWidth, 4);
  const height = ABOVE + heading.height + 4 + BOX.height + 5 + heightOf(name) + heightOf(evidence);
  if (height + reserve > sheet.room()) {
    if (certificate) return;
    sheet.breakPage();
  }
  sheet.y += ABOVE;

  const { y } = sheet;
  sheet.tagged('H2', () => type.draw(heading, page.left, y));
  const bottom = y + heading.height + 4 + BOX.height;
  drawMark(sheet, signature, picture, { left: page.left, bottom, ...BOX });
  sheet.rule(bottom, { width: 0.8, color: color.muted, to: page.left + BOX.width });
  sheet.y = bottom + 5;
  sheet.flow('P', name);
  sheet.flow('P', evidence);
}

interface Box {
  readonly left: number;
  /** Of the line that the signature stands on. */
  readonly bottom: number;
  readonly width: number;
  readonly height: number;
}

/** What was drawn, or else typed, in as large a size as fits. */
export function drawMark(
  sheet: Sheet,
  { type: kind, data, signerName }: SignatureOfDrawing,
  picture: Picture | undefined,
  { left, bottom, width, height }: Box,
): void {
  const { type } = sheet;
  const { signed } = sheet.look.style;
  if (picture) {
    const size = picture.fit(width - INSET, height - INSET);
    const draw = () => picture.draw(left + INSET, bottom - 2 - size.height, size);
    sheet.tagged('Figure', draw, undefined, { alt: `Firma de ${signerName}` });
    return;
  }
  const typed = kind === 'typed' && data && !data.startsWith('data:') ? data : signerName;
  const full = type.line(typed, signed);
  const size = Math.max(SMALLEST, signed.size * Math.min(1, (width - INSET) / full.width));
  const [written] = type.lines(typed, { ...signed, size }, width, 1);
  if (written) sheet.tagged('P', () => type.draw(written, left + INSET, bottom - written.height));
}
