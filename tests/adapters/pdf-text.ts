import { getDocument, VerbosityLevel } from 'unpdf/pdfjs';

export interface ReadPdf {
  /** The text of each page, rows separated by one space. */
  readonly pages: readonly string[];
  /** The text of all pages. */
  readonly text: string;
  /** Each piece of text with where it starts, in points from the lower left corner of its page. */
  readonly pieces: readonly { readonly text: string; readonly x: number; readonly y: number }[];
  readonly info: Readonly<Record<string, unknown>>;
  /** The structure for screen readers: the names of the tags of each page, in order, each after its parent. */
  readonly tags: readonly (readonly string[])[];
  /** The alternative texts of figures. */
  readonly figures: readonly string[];
  /** Addresses of links. */
  readonly links: readonly string[];
  readonly isMarked: boolean;
}

interface Tag {
  readonly role?: string;
  readonly alt?: string;
  readonly children?: readonly Tag[];
}

/** Extracts the content of a PDF as a viewer does. */
export async function readPdf(bytes: Buffer): Promise<ReadPdf> {
  const task = getDocument({ data: new Uint8Array(bytes), verbosity: VerbosityLevel.ERRORS });
  const document = await task.promise;
  const pages: string[] = [];
  const pieces: { text: string; x: number; y: number }[] = [];
  const tags: string[][] = [];
  const figures: string[] = [];
  const links: string[] = [];
  for (let number = 1; number <= document.numPages; number += 1) {
    const page = await document.getPage(number);
    const { items } = await page.getTextContent();
    for (const item of items)
      if ('str' in item)
        pieces.push({ text: item.str.trim(), x: Number(item.transform[4]), y: Number(item.transform[5]) });
    const parts = items.map((item) => ('str' in item ? item.str + (item.hasEOL ? ' ' : '') : ''));
    pages.push(parts.join('').replace(/\s+/g, ' '));

    const found: Tag[] = [];
    // pdf.js types the tree of tags as nodes of any shape.
    flatten((await page.getStructTree()) as Tag | null, found);
    tags.push(found.flatMap(({ role }) => (role ? [role] : [])));
    figures.push(...found.flatMap(({ role, alt }) => (role === 'Figure' && alt ? [alt] : [])));
    for (const { url } of (await page.getAnnotations()) as { url?: string }[]) if (url) links.push(url);
  }
  const { info } = await document.getMetadata();
  const marks: unknown = await document.getMarkInfo();
  await task.destroy();
  const isMarked = typeof marks === 'object' && marks !== null && 'Marked' in marks && marks.Marked === true;
  const text = pages.join(' ');
  // pdf.js types the information dictionary as an empty object.
  return { pages, text, pieces, info: info as Record<string, unknown>, tags, figures, links, isMarked };
}

function flatten(tag: Tag | null, into: Tag[]): void {
  if (!tag) return;
  into.push(tag);
  for (const child of tag.children ?? []) flatten(child, into);
}
