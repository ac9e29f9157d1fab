import { cleanLine } from '../../domain/clean-text.ts';
import { formatExactMoment, formatMoney } from '../../domain/format.ts';
import { type CertificateOfDrawing, type QuoteDrawing, type SignatureOfDrawing } from '../../domain/quote-drawing.ts';
import { fileNameOf } from '../../domain/quote-number.ts';
import { legalIdentity } from '../../domain/tax-id.ts';
import { drawLabelledTable } from './labelled-table.ts';
import type { Picture } from './picture.ts';
import type { PageWriter } from './page-writer.ts';
import { capitals } from './plain-text.ts';
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
export function drawCertificate(writer: PageWriter, certified: Certified): void {
  const { drawing, signature, certificate } = certified;
  const { style } = writer.look;
  const { certificate: texts, quote } = writer.texts;
  writer.breakPage();
  drawTitle(writer, drawing);
  drawConsent(writer, certified);
  drawLabelledTable(writer, texts.signer, [
    { label: texts.name, value: cleanLine(signature.signerName) },
    { label: texts.email, value: signature.signerEmail },
    { label: texts.signedAt, value: formatExactMoment(signature.signedAt, drawing) },
    { label: texts.ip, value: certificate.ip },
    { label: texts.browser, value: certificate.userAgent || texts.unknownBrowser, style: style.dense },
  ]);
  const { displayNumber, version, total, currency, business, locale } = drawing;
  const issuer = [business.companyName, ...legalIdentity(business, locale)];
  drawLabelledTable(writer, texts.document, [
    { label: quote.name, value: texts.quoteVersion(displayNumber, version) },
    { label: texts.issuedBy, value: cleanLine(issuer.join(' · ')), style: style.joinedBody },
    { label: texts.acceptedTotal, value: formatMoney(total, currency, locale) },
    { label: texts.quoteId, value: certificate.quoteId, style: style.code },
    { label: texts.signatureId, value: certificate.signatureId, style: style.code },
  ]);
  drawLabelledTable(writer, texts.hashes, [
    { label: texts.shownDocument, value: certificate.shownPdfSha256, style: style.code },
    { label: texts.acceptedData, value: certificate.snapshotSha256, style: style.code },
  ]);
  drawChecking(writer, drawing);
}

function drawTitle(writer: PageWriter, { displayNumber }: QuoteDrawing): void {
  const { type, texts } = writer;
  const { page, style, color } = writer.look;
  const { y } = writer;
  const title = type.line(texts.certificate.title, style.title);
  const about = type.line(texts.certificate.about(displayNumber), style.rowLabel);
  writer.tagged('H1', () => type.draw(title, page.left, y));
  writer.tagged('P', () => type.draw(about, page.left, y + title.height + 2));
  writer.y += title.height + 2 + about.height + 10;
  writer.rule(writer.y, { color: color.accent, width: 1.4 });
  writer.y += 14;
}

/** The consent text beside the signature. */
function drawConsent(writer: PageWriter, { signature, certificate, picture }: Certified): void {
  const { doc, type, texts } = writer;
  const { page, style, color } = writer.look;
  const markWidth = page.contentWidth * BOX.share - 3 * BOX.padding;
  const textWidth = page.contentWidth * (1 - BOX.share) - BAR - 2 * BOX.padding;
  const heading = type.line(capitals(texts.certificate.consent), style.label);
  const words = type.lines(certificate.consentText, style.body, textWidth);
  const caption = type.line(texts.quote.signature, style.small);
  const text = heading.height + 4 + heightOf(words);
  const height = 2 * BOX.padding + Math.max(text, BOX.signature + 3 + caption.height);
  const { y } = writer;
  const markLeft = page.rightEdge - 2 * BOX.padding - markWidth;
  const paperLeft = markLeft - BOX.padding;
  writer.decoration(() => {
    doc.content.fillRect(page.left, y, page.contentWidth, height, color.tint);
    doc.content.fillRect(page.left, y, BAR, height, color.accent);
    // Drawn signatures are on white.
    const paperWidth = page.rightEdge - BOX.paper - paperLeft;
    doc.content.fillRect(paperLeft, y + BOX.paper, paperWidth, height - 2 * BOX.paper, '#ffffff');
  });
  const left = page.left + BAR + BOX.padding;
  writer.tagged('H2', () => type.draw(heading, left, y + BOX.padding));
  writer.tagged('P', () => {
    let at = y + BOX.padding + heading.height + 4;
    for (const line of words) {
      type.draw(line, left, at);
      at += line.height;
    }
  });
  const bottom = y + (height - caption.height - 3 + BOX.signature) / 2;
  drawMark(writer, signature, picture, { left: markLeft, bottom, width: markWidth, height: BOX.signature });
  writer.rule(bottom, { width: 0.8, color: color.muted, from: markLeft, to: markLeft + markWidth });
  writer.tagged('P', () => type.draw(caption, markLeft, bottom + 3));
  writer.y += height;
}

/** A file cannot contain its own hash: the API returns it. */
function drawChecking(writer: PageWriter, { business, displayNumber }: QuoteDrawing): void {
  const { type, texts } = writer;
  const { page, style } = writer.look;
  const heading = type.line(capitals(texts.certificate.howToCheck), style.label);
  const paragraphs = texts.certificate
    .checks(fileNameOf(displayNumber), business.companyName)
    .map((text) => type.lines(text, style.small, page.contentWidth));
  writer.y += 16;
  if (heading.height + 8 + heightOf(paragraphs.flat()) > writer.room()) writer.breakPage();
  const { y } = writer;
  writer.tagged('H2', () => type.draw(heading, page.left, y));
  writer.y += heading.height;
  for (const lines of paragraphs) {
    writer.y += 4;
    writer.flow('P', lines);
  }
}
