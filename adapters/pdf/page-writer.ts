import type { QuoteDrawing } from '../../domain/quote-drawing.ts';
import { type Texts, textsOf } from '../../domain/texts/texts.ts';
import type { Budget } from './budget.ts';
import { PdfFile } from './pdf-file.ts';
import { plainText } from './plain-text.ts';
import { createLook, type Look } from './theme.ts';
import { createTypesetter, heightOf, type Line, type Typesetter } from './typeset.ts';
import { drawWatermark } from './watermark.ts';

declare global {
  namespace PDFKit {
    // Known to pdfkit, missing in its published types, as what follows.
    interface PDFStructureElement {
      readonly dictionary: { readonly data: Record<string, unknown> };
    }
  }
  namespace PDFKit.Mixins {
    interface StructureElementOptions {
      scope?: 'Column' | 'Row';
    }
    interface AnnotationOption {
      structParent?: PDFStructureElement;
    }
  }
}

export type Tag = PDFKit.PDFStructureElement;

export interface TagOptions extends PDFKit.Mixins.StructureElementOptions {
  /** The columns of a table that a cell covers, if not one. */
  readonly columnSpan?: number;
}

/** Writes the growing document: one cursor that moves down the page, page breaks, tags for screen readers. */
export interface PageWriter {
  readonly doc: PdfFile;
  readonly type: Typesetter;
  readonly look: Look;
  /** In the language of the document. */
  readonly texts: Texts;
  /** The business's footer on each page. */
  readonly footer: readonly Line[];
  /** Where the next block starts, from the top of the page. */
  y: number;
  /** Height left on this page. */
  room(): number;
  /** Height of a page after the first, below its running title. */
  readonly freshRoom: number;
  breakPage(): void;
  /** Opens a tag; without a parent it belongs to the document. Close it with `end()`. */
  tag(name: string, parent?: Tag, options?: TagOptions): Tag;
  /** Draws inside a tag of its own. Never breaks the page inside. */
  tagged(name: string, draw: () => void, parent?: Tag, options?: TagOptions): void;
  /** Draws content that screen readers skip: lines, bands, repeated headings. */
  decoration(draw: () => void): void;
  /** A horizontal hairline over the content width, or between two x. */
  rule(y: number, options?: { color?: string; width?: number; from?: number; to?: number }): void;
  /** Draws a line of text as a link. */
  link(line: Line, x: number, y: number, url: string, parent?: Tag): void;
  /**
   * Draws lines below each other from the cursor on, over as many pages as needed, and moves the cursor. Right-to-left
   * lines start at the right margin, unless `align` says that they belong to something at the left.
   */
  flow(name: string, lines: readonly Line[], options?: { align?: 'left' }): void;
  /** Closes the tags and returns the file. */
  finish(): Promise<Buffer<ArrayBuffer>>;
}

const RUNNING_TITLE_HEIGHT = 22;
/** Of a text of 200 characters with line ends of its own. */
const FOOTER_LINES = 3;
const STRIPE_HEIGHT = 5;

export function createPageWriter(drawing: QuoteDrawing, budget: Budget): PageWriter {
  const texts = textsOf(drawing.locale);
  const title = texts.quote.numbered(drawing.displayNumber);
  const created = new Date(drawing.createdAt);
  const look = createLook(drawing);
  const { page, style, color } = look;
  const doc = new PdfFile({
    size: [page.width, page.height],
    margin: 0,
    autoFirstPage: false,
    // None by default: fonts are added when a text needs them.
    font: '',
    // Page numbers "1 de 3" are written when the last page is known.
    bufferPages: true,
    pdfVersion: '1.7',
    tagged: true,
    lang: drawing.locale,
    displayTitle: true,
    info: {
      Title: title,
      Author: plainText(drawing.business.companyName),
      Subject: texts.document.subject(plainText(drawing.client.companyName ?? drawing.client.contactName)),
      // Dates of the quote, not of the clock: the file's id is derived from them, and equal input gives equal bytes.
      CreationDate: created,
      ModDate: created,
    },
  });
  const type = createTypesetter(doc, look.family, budget);
  const footerText = drawing.branding?.footerText?.trim();
  const footer = footerText ? type.lines(footerText, style.running, page.contentWidth, FOOTER_LINES) : [];
  const bottom = page.height - page.bottom - (footerText ? heightOf(footer) + 2 : 0);
  const root = doc.struct('Document');
  doc.addStructure(root);
  let pages = 0;

  const writer: PageWriter = {
    doc,
    type,
    look,
    texts,
    footer,
    y: page.top,
    freshRoom: bottom - page.top - RUNNING_TITLE_HEIGHT,
    room: () => bottom - writer.y,

    breakPage() {
      if (pages > 0) doc.flushContent();
      doc.addPage();
      pages += 1;
      writer.y = page.top;
      if (drawing.watermark) writer.decoration(() => drawWatermark(writer, texts.document.freeVersion));
      const { stripe } = color;
      if (stripe && pages === 1) writer.decoration(() => doc.content.fillRect(0, 0, page.width, STRIPE_HEIGHT, stripe));
      if (pages > 1) {
        const [company] = type.lines(drawing.business.companyName, style.running, page.contentWidth * 0.6, 1);
        const name = type.line(title, style.running);
        writer.decoration(() => {
          if (company) type.draw(company, page.left, writer.y);
          type.draw(name, page.rightEdge, writer.y, 'right');
        });
        writer.y += RUNNING_TITLE_HEIGHT;
      }
    },

    tag(name, parent = root, { columnSpan, ...options } = {}) {
      const element = doc.struct(name, options);
      // pdfkit has an option for the scope of a cell only.
      if (columnSpan) element.dictionary.data['A'] = { O: 'Table', Scope: options.scope, ColSpan: columnSpan };
      parent.add(element);
      return element;
    },

    tagged(name, draw, parent, options) {
      const element = writer.tag(name, parent, options);
      element.add(draw);
      element.end();
    },

    decoration(draw) {
      doc.markContent('Artifact', { type: 'Pagination' });
      draw();
      doc.endMarkedContent();
    },

    rule(y, { color: stroke = color.hairline, width = 0.6, from = page.left, to = page.rightEdge } = {}) {
      writer.decoration(() => doc.content.line(y, { from, to, width, color: stroke }));
    },

    link(line, x, y, url, parent) {
      const element = writer.tag('Link', parent);
      element.add(() => {
        type.draw(line, x, y);
        doc.link(x, y, line.width, line.height, url, { structParent: element });
      });
      element.end();
    },

    flow(name, lines, { align } = {}) {
      const element = writer.tag(name);
      let rest = [...lines];
      while (rest.length > 0) {
        const [next] = rest;
        if (next && next.height > writer.room()) writer.breakPage();
        let height = 0;
        const here = rest.filter((line) => (height += line.height) <= writer.room());
        const top = writer.y;
        element.add(() => {
          let y = top;
          for (const line of here) {
            if (line.rightToLeft && align !== 'left') type.draw(line, page.rightEdge, y, 'right');
            else type.draw(line, page.left, y);
            y += line.height;
          }
          writer.y = y;
        });
        rest = rest.slice(here.length);
      }
      element.end();
    },

    finish() {
      root.end();
      for (let page = 0; page < pages; page += 1) {
        doc.switchToPage(page);
        doc.flushContent();
      }
      return doc.finish();
    },
  };

  writer.breakPage();
  return writer;
}
