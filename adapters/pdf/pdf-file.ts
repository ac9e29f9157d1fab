import { once } from 'node:events';
import PdfKit from 'pdfkit';
import { PageContent } from './page-content.ts';

/**
 * pdfkit's document, collected in memory instead of streamed: the content of each page is added to the file as a whole,
 * and the file is joined from its parts at the end.
 */
export class PdfFile extends PdfKit {
  readonly #contents = new WeakMap<PDFKit.PDFPage, PageContent>();
  /** Parts of the file, texts as Latin-1. Not initialized here: pdfkit writes the first ones in its constructor. */
  declare private parts?: (string | Uint8Array)[];
  /** pdfkit's count of the bytes that were written. */
  declare private _offset: number;

  /** Of the current page. */
  get content(): PageContent {
    const known = this.#contents.get(this.page);
    if (known) return known;
    const content = new PageContent(this.page.height);
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

  /**
   * Called by pdfkit for each part of the file, several thousand times in a long quote: its own method would copy each
   * to a buffer and send it through the stream. Not a public interface; the version is pinned, and tests read the files.
   */
  _write(data: string | Uint8Array): void {
    const part = typeof data === 'string' ? `${data}\n` : data;
    (this.parts ??= []).push(part);
    // oxlint-disable-next-line no-underscore-dangle -- pdfkit's name
    this._offset += part.length;
  }

  /** Ends an object of the file with this stream, in its final encoding. pdfkit would copy its parts to join them. */
  endWithStream(object: PDFKit.PDFKitReference, stream: readonly Uint8Array[]): void {
    Object.assign(object.data, { Length: stream.reduce((sum, { length }) => sum + length, 0) });
    object.end(undefined);
    // What pdfkit wrote last: the stream precedes it.
    const end = this.parts?.pop() ?? '';
    /* oxlint-disable no-underscore-dangle -- pdfkit's names */
    this._offset -= end.length;
    for (const part of ['stream', ...stream, '\nendstream', 'endobj']) this._write(part);
    /* oxlint-enable no-underscore-dangle */
  }

  /** Writes the end of the file and returns all of it, in memory of its own. */
  async finish(): Promise<Buffer<ArrayBuffer>> {
    const ended = once(this, 'end');
    this.end();
    this.resume();
    // pdfkit decodes some images asynchronously.
    await ended;
    const parts = this.parts ?? [];
    const bytes = Buffer.allocUnsafeSlow(parts.reduce((sum, { length }) => sum + length, 0));
    let at = 0;
    for (const part of parts) {
      if (typeof part === 'string') bytes.write(part, at, 'latin1');
      else bytes.set(part, at);
      at += part.length;
    }
    return bytes;
  }
}
