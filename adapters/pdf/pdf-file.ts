import PdfKit from 'pdfkit';
import { PageContent } from './page-content.ts';

/** pdfkit's document. The content of each page is collected and added to the file as a whole. */
export class PdfFile extends PdfKit {
  readonly #contents = new WeakMap<PDFKit.PDFPage, PageContent>();

  /** Of the current page. */
  get content(): PageContent {
    const known = this.#contents.get(this.page);
    if (known) return known;
    const content = new PageContent();
    this.#contents.set(this.page, content);
    return content;
  }

  /** Called by pdfkit for its own operators. */
  override addContent(operators: string): this {
    if (operators === 'q') this.content.save();
    else if (operators === 'Q') this.content.restore();
    else this.content.write(operators);
    return this;
  }

  /** Adds the content of the current page to the file: as bytes it takes less memory than as text. */
  flushContent(): void {
    this.page.content.write(this.content.take());
  }
}
