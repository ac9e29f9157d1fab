import type { SignatureOfDrawing } from '../../domain/quote-drawing.ts';
import { moment } from './format.ts';
import type { Picture } from './picture.ts';
import type { Sheet } from './sheet.ts';
import { heightOf } from './typeset.ts';

const BOX = { width: 210, height: 62 } as const;
/** Size of a typed name that is too long for the box. */
const SMALLEST = 11;

/** The client's signature over a line, with who gave it and when. The block stays on one page. */
export function drawSignature(sheet: Sheet, signature: SignatureOfDrawing, picture: Picture | undefined): void {
  const { type } = sheet;
  const { page, style } = sheet.look;
  const { signerName, signerEmail, signedAt } = signature;
  const heading = type.line('FIRMA DE ACEPTACIÓN', style.label);
  const name = type.lines(signerName, style.strong, page.contentWidth, 2);
  const how = `Firmado electrónicamente por ${signerName} (${signerEmail}) el ${moment(signedAt)}.`;
  const evidence = type.lines(how, style.small, page.contentWidth, 4);
  sheet.y += 18;
  const height = heading.height + 4 + BOX.height + 5 + heightOf(name) + heightOf(evidence);
  if (height > sheet.room()) sheet.breakPage();

  const { y } = sheet;
  sheet.tagged('H2', () => type.draw(heading, page.left, y));
  const bottom = y + heading.height + 4 + BOX.height;
  const alt = `Firma de ${signerName}`;
  if (picture) {
    const size = picture.fit(BOX.width, BOX.height - 4);
    sheet.tagged('Figure', () => picture.draw(page.left + 4, bottom - 2 - size.height, size), undefined, { alt });
  } else {
    const typed = signature.type === 'typed' && signature.data ? signature.data : signerName;
    const full = type.line(typed, style.signed);
    const size = Math.max(SMALLEST, style.signed.size * Math.min(1, BOX.width / full.width));
    const [written] = type.lines(typed, { ...style.signed, size }, BOX.width + 4, 1);
    if (written) sheet.tagged('P', () => type.draw(written, page.left + 4, bottom - written.height));
  }
  sheet.rule(bottom, { width: 0.8, to: page.left + BOX.width });
  sheet.y = bottom + 5;
  sheet.flow('P', name);
  sheet.flow('P', evidence);
}
