import { getDocument, VerbosityLevel } from 'pdfjs-dist/legacy/build/pdf.mjs';

export interface ReadPdf {
  /** The text of each page, rows separated by one space. */
  readonly pages: readonly string[];
  /** The text of all pages. */
  readonly text: string;
  /** Each piece of text with where it starts, in points from the lower left corner of its page. */
  readonly pieces: readonly { readonly text: string; readonly x: number; readonly y: number }[];
  readonly info: Readonly<Record<string, unknown>>;
}

/** Reads a PDF back the way a viewer does. */
export async function readPdf(bytes: Buffer): Promise<ReadPdf> {
  const task = getDocument({ data: new Uint8Array(bytes), verbosity: VerbosityLevel.ERRORS });
  const document = await task.promise;
  const pages: string[] = [];
  const pieces: { text: string; x: number; y: number }[] = [];
  for (let number = 1; number <= document.numPages; number += 1) {
    const page = await document.getPage(number);
    const { items } = await page.getTextContent();
    for (const item of items)
      if ('str' in item)
        pieces.push({ text: item.str.trim(), x: Number(item.transform[4]), y: Number(item.transform[5]) });
    const parts = items.map((item) => ('str' in item ? item.str + (item.hasEOL ? ' ' : '') : ''));
    pages.push(parts.join('').replace(/\s+/g, ' '));
  }
  const { info } = await document.getMetadata();
  await task.destroy();
  // pdf.js types the information dictionary as an empty object.
  return { pages, text: pages.join(' '), pieces, info: info as Record<string, unknown> };
}
