import PdfKit from 'pdfkit';
import { type QuoteDrawing, quoteLabel } from '../../domain/quote-drawing.ts';
import { CONTENT_WIDTH, COLOR, PAGE, STYLE } from './look.ts';
import { plainText } from './plain-text.ts';
import { createTypesetter, type Line, type Typesetter } from './typeset.ts';
import { drawWatermark } from './watermark.ts';

declare global {
  namespace PDFKit.Mixins {
    // Known to pdfkit, missing in its published types.
    interface StructureElementOptions {
      scope?: 'Column' | 'Row';
    }
  }
}

export type Tag = PDFKit.PDFStructureElement;

/** The growing document: one cursor that goes down the page, page breaks, tags for screen readers. */
export interface Sheet {
  readonly doc: InstanceType<typeof PdfKit>;
  readonly type: Typesetter;
  /** Where the next block starts, from the top of the page. */
  y: number;
  /** Height left on this page. */
  room(): number;
  /** Height of a page after the first, below its running title. */
  readonly freshRoom: number;
  breakPage(): void;
  /** Opens a tag; without a parent it belongs to the document. Close it with `end()`. */
  tag(name: string, parent?: Tag, options?: PDFKit.Mixins.StructureElementOptions): Tag;
  /** Draws inside a tag of its own. Never breaks the page inside. */
  tagged(name: string, draw: () => void, parent?: Tag, options?: PDFKit.Mixins.StructureElementOptions): void;
  /** Draws what a screen reader skips: lines, bands, repeated headings. */
  decoration(draw: () => void): void;
  /** A horizontal hairline over the content width, or from x to x. */
  rule(y: number, options?: { color?: string; width?: number; from?: number; to?: number }): void;
  /** Draws lines under each other from the cursor on, over as many pages as it takes, and moves the cursor. */
  flow(name: string, lines: readonly Line[]): void;
  /** Closes the tags and writes the end of the file. */
  finish(): void;
}

const RUNNING_TITLE_HEIGHT = 22;

export function createSheet(drawing: QuoteDrawing): Sheet {
  const title = `Cotización ${quoteLabel(drawing.quoteNumber)}`;
  const created = new Date(drawing.createdAt);
  const doc = new PdfKit({
    size: [PAGE.width, PAGE.height],
    margin: 0,
    autoFirstPage: false,
    // Page numbers "1 de 3" are written when the last page is known.
    bufferPages: true,
    pdfVersion: '1.7',
    tagged: true,
    lang: 'es-MX',
    displayTitle: true,
    info: {
      Title: title,
      Author: plainText(drawing.business.companyName),
      Subject: `Cotización para ${plainText(drawing.client.companyName ?? drawing.client.contactName)}`,
      // Dates of the quote, not of the clock: the file's id is derived from them, and equal input gives equal bytes.
      CreationDate: created,
      ModDate: created,
    },
  });
  const type = createTypesetter(doc);
  const root = doc.struct('Document');
  doc.addStructure(root);
  let pages = 0;

  const sheet: Sheet = {
    doc,
    type,
    y: PAGE.top,
    freshRoom: PAGE.height - PAGE.bottom - PAGE.top - RUNNING_TITLE_HEIGHT,
    room: () => PAGE.height - PAGE.bottom - sheet.y,

    breakPage() {
      doc.addPage();
      pages += 1;
      sheet.y = PAGE.top;
      if (drawing.watermark) sheet.decoration(() => drawWatermark(doc));
      if (pages > 1) {
        const [company] = type.lines(drawing.business.companyName, STYLE.running, CONTENT_WIDTH * 0.6, 1);
        const name = type.line(title, STYLE.running);
        sheet.decoration(() => {
          if (company) type.draw(company, PAGE.left, sheet.y);
          type.draw(name, PAGE.width - PAGE.right, sheet.y, 'right');
        });
        sheet.y += RUNNING_TITLE_HEIGHT;
      }
    },

    tag(name, parent = root, options = {}) {
      const element = doc.struct(name, options);
      parent.add(element);
      return element;
    },

    tagged(name, draw, parent, options) {
      const element = sheet.tag(name, parent, options);
      element.add(draw);
      element.end();
    },

    decoration(draw) {
      doc.markContent('Artifact', { type: 'Pagination' });
      draw();
      doc.endMarkedContent();
    },

    rule(y, { color = COLOR.hairline, width = 0.6, from = PAGE.left, to = PAGE.width - PAGE.right } = {}) {
      sheet.decoration(() => doc.moveTo(from, y).lineTo(to, y).lineWidth(width).strokeColor(color).stroke());
    },

    flow(name, lines) {
      const element = sheet.tag(name);
      let rest = [...lines];
      while (rest.length > 0) {
        const [next] = rest;
        if (next && next.height > sheet.room()) sheet.breakPage();
        let height = 0;
        const here = rest.filter((line) => (height += line.height) <= sheet.room());
        const top = sheet.y;
        element.add(() => {
          let y = top;
          for (const line of here) {
            type.draw(line, PAGE.left, y);
            y += line.height;
          }
          sheet.y = y;
        });
        rest = rest.slice(here.length);
      }
      element.end();
    },

    finish() {
      root.end();
      doc.end();
    },
  };

  sheet.breakPage();
  return sheet;
}
