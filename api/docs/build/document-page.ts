import { html } from '../../../domain/html.ts';
import { contentOf, type Document } from '../documents.ts';
import type { Page } from './layout.ts';
import { renderMarkdown, type Resolve } from './markdown.ts';
import type { SearchRecord } from './search-records.ts';

/** The address of a document's page: `guides/errors.md` → `/docs/guides/errors`. */
export const pageOf = (file: string): string => `/docs/${file.replace(/\.md$/, '')}`;

/** The page of a Markdown document and what the search finds on it. */
export function documentPage(
  { file, title, about }: Document,
  { section, markdown, resolve }: { readonly section: string; readonly markdown: string; readonly resolve: Resolve },
): { readonly page: Page; readonly records: readonly SearchRecord[] } {
  const { body, headings, passages } = renderMarkdown(contentOf(markdown), resolve);
  const path = pageOf(file);
  const hasTitle = headings.some(({ level }) => level === 1);
  return {
    page: {
      path,
      title,
      description: about,
      body: html`<article class="prose">
        <p class="eyebrow">${section}</p>
        ${hasTitle ? null : html`<h1>${title}</h1>`}${body}
      </article>`,
      contents: headings,
      source: `/docs/${file}`,
      kind: 'document',
    },
    records: passages.map(({ heading, text }) => ({
      href: heading === undefined || heading.level === 1 ? path : `${path}#${heading.id}`,
      page: title,
      heading: heading?.text ?? title,
      text,
      section,
    })),
  };
}
