import { cleanLine } from '../../domain/clean-text.ts';
import { formatExactMoment, formatMoney } from '../../domain/format.ts';
import {
  type CertificateOfDrawing,
  type QuoteDrawing,
  quoteLabel,
  type SignatureOfDrawing,
} from '../../domain/quote-drawing.ts';
import { legalIdentity } from '../../domain/tax-id.ts';
import { drawFacts } from './meta-block.ts';
import type { Picture } from './picture.ts';
import type { Sheet } from './page-writer.ts';
import { drawMark } from './signature.ts';
import { heightOf } from './typeset.ts';

const BAR = 3;
const BOX = { padding: 10, paper: 6, signature: 46, share: 0.38 } as const;

interface Certified {
  readonly drawing: QuoteDrawing;
  readonly signature: SignatureOfDrawing;
  readonly certificate: CertificateOfDrawing;
  readonly picture: Picture | undefined;
}

/** The document's last page: who accepted what, with which consent text, when and from where, and how to verify it. */
export function drawCertificate(sheet: Sheet, certified: Certified): void {
  const { drawing, signature, certificate } = certified;
  const { style } = sheet.look;
  sheet.breakPage();
  drawTitle(sheet, drawing);
  drawConsent(sheet, certified);
  drawFacts(sheet, 'FIRMANTE', [
    { label: 'Nombre', value: cleanLine(signature.signerName) },
    { label: 'Correo', value: signature.signerEmail },
    { label: 'Fecha y hora', value: formatExactMoment(signature.signedAt, drawing) },
    { label: 'Dirección IP', value: certificate.ip },
    { label: 'Navegador', value: certificate.userAgent || 'No se identificó', style: style.dense },
  ]);
  const { quoteNumber, version, total, currency, business } = drawing;
  drawFacts(sheet, 'DOCUMENTO', [
    { label: 'Cotización', value: `${quoteLabel(quoteNumber)}, versión ${version}` },
    { label: 'Emitida por', value: cleanLine([business.companyName, ...legalIdentity(business)].join(' · ')) },
    { label: 'Total aceptado', value: formatMoney(total, currency) },
    { label: 'ID de la cotización', value: certificate.quoteId, style: style.code },
    { label: 'ID de la firma', value: certificate.signatureId, style: style.code },
  ]);
  drawFacts(sheet, 'HUELLAS DIGITALES (SHA-256)', [
    { label: 'Documento mostrado', value: certificate.shownPdfSha256, style: style.code },
    { label: 'Datos aceptados', value: certificate.snapshotSha256, style: style.code },
  ]);
  drawChecking(sheet, drawing);
}

function drawTitle(sheet: Sheet, { quoteNumber }: QuoteDrawing): void {
  const { type } = sheet;
  const { page, style, color } = sheet.look;
  const { y } = sheet;
  const title = type.line('Constancia de firma', style.title);
  const about = type.line(`Cotización ${quoteLabel(quoteNumber)}, aceptada por medios electrónicos`, style.fact);
  sheet.tagged('H1', () => type.draw(title, page.left, y));
  sheet.tagged('P', () => type.draw(about, page.left, y + title.height + 2));
  sheet.y += title.height + 2 + about.height + 10;
  sheet.rule(sheet.y, { color: color.accent, width: 1.4 });
  sheet.y += 14;
}

/** The consent text beside the signature. */
function drawConsent(sheet: Sheet, { signature, certificate, picture }: Certified): void {
  const { doc, type } = sheet;
  const { page, style, color } = sheet.look;
  const markWidth = page.contentWidth * BOX.share - 3 * BOX.padding;
  const textWidth = page.contentWidth * (1 - BOX.share) - BAR - 2 * BOX.padding;
  const heading = type.line('DECLARACIÓN ACEPTADA', style.label);
  const words = type.lines(certificate.consentText, style.body, textWidth);
  const caption = type.line('Firma', style.small);
  const text = heading.height + 4 + heightOf(words);
  const height = 2 * BOX.padding + Math.max(text, BOX.signature + 3 + caption.height);
  const { y } = sheet;
  const markLeft = page.rightEdge - 2 * BOX.padding - markWidth;
  const paperLeft = markLeft - BOX.padding;
  sheet.decoration(() => {
    doc.rect(page.left, y, page.contentWidth, height).fill(color.tint);
    doc.rect(page.left, y, BAR, height).fill(color.accent);
    // Drawn signatures are on white.
    doc.rect(paperLeft, y + BOX.paper, page.rightEdge - BOX.paper - paperLeft, height - 2 * BOX.paper).fill('#ffffff');
  });
  const left = page.left + BAR + BOX.padding;
  sheet.tagged('H2', () => type.draw(heading, left, y + BOX.padding));
  sheet.tagged('P', () => {
    let at = y + BOX.padding + heading.height + 4;
    for (const line of words) {
      type.draw(line, left, at);
      at += line.height;
    }
  });
  const bottom = y + (height - caption.height - 3 + BOX.signature) / 2;
  drawMark(sheet, signature, picture, { left: markLeft, bottom, width: markWidth, height: BOX.signature });
  sheet.rule(bottom, { width: 0.8, color: color.muted, from: markLeft, to: markLeft + markWidth });
  sheet.tagged('P', () => type.draw(caption, markLeft, bottom + 3));
  sheet.y += height;
}

/** A file cannot contain its own hash: the API returns it. */
function drawChecking(sheet: Sheet, { business, quoteNumber }: QuoteDrawing): void {
  const { type } = sheet;
  const { page, style } = sheet.look;
  const heading = type.line('CÓMO COMPROBARLA', style.label);
  const paragraphs = [
    'El documento mostrado es el PDF de esta cotización tal como estaba antes de firmarse, sin firma ni constancia. ' +
      `Calcule el SHA-256 de su copia (con «sha256sum ${quoteLabel(quoteNumber)}.pdf» o «Get-FileHash») y compárelo con ` +
      'la huella de arriba: si coinciden, es el mismo documento, byte por byte.',
    'El SHA-256 de este archivo ya firmado no puede estar escrito dentro de él. Está en el expediente de la firma, junto ' +
      `con los datos aceptados, que conserva ${business.companyName}; pídalo con el ID de la firma.`,
  ].map((text) => type.lines(text, style.small, page.contentWidth));
  sheet.y += 16;
  if (heading.height + 8 + heightOf(paragraphs.flat()) > sheet.room()) sheet.breakPage();
  const { y } = sheet;
  sheet.tagged('H2', () => type.draw(heading, page.left, y));
  sheet.y += heading.height;
  for (const lines of paragraphs) {
    sheet.y += 4;
    sheet.flow('P', lines);
  }
}
