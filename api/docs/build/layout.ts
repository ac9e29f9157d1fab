import { type Html, html } from '../../../domain/html.ts';
import type { Assets } from './assets.ts';
import type { Heading } from './markdown.ts';

export interface NavLink {
  readonly title: string;
  readonly href: string;
  /** Shown while the page of the link is open. */
  readonly parts?: readonly NavLink[];
}

export interface NavSection {
  readonly title: string;
  readonly links: readonly NavLink[];
}

export interface Page {
  /** Address, without a slash at the end. */
  readonly path: string;
  readonly title: string;
  readonly description: string;
  readonly body: Html;
  /** Headings for "On this page". */
  readonly contents: readonly Heading[];
  /** Address of its Markdown source. */
  readonly source?: string;
  readonly kind: 'landing' | 'document' | 'reference';
}

export interface Frame {
  readonly navigation: readonly NavSection[];
  readonly assets: Assets;
}

const PRODUCT = 'Quoting';

/** A whole page. Everything on it works without JavaScript but for search and copying. */
export function layout(page: Page, { navigation, assets }: Frame): string {
  const title = page.kind === 'landing' ? `${PRODUCT} documentation` : `${page.title} · ${PRODUCT} documentation`;
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <meta name="description" content="${page.description}" />
        <title>${title}</title>
        <link rel="icon" href="data:," />
        <link rel="stylesheet" href="${assets.stylesheet}" />
        ${page.source === undefined ? null : html`<link rel="alternate" type="text/markdown" href="${page.source}" />`}
        <script type="module" src="${assets.script}"></script>
      </head>
      <body class="${page.kind}">
        <a class="skip" href="#content">Skip to the content</a>
        <header class="masthead">
          <button class="menu" popovertarget="navigation" type="button">Menu</button>
          <a class="brand" href="/docs"><b>${PRODUCT}</b> docs</a>
          <button class="search-open" type="button" hidden>Search <kbd>/</kbd></button>
        </header>
        <div class="frame">
          <nav id="navigation" class="navigation" popover aria-label="Documentation">
            <button class="menu" popovertarget="navigation" popovertargetaction="hide" type="button">Close</button>
            ${navigation.map(
              ({ title: name, links }) =>
                html`<h2>${name}</h2>
                  <ul>
                    ${links.map((link) => navLink(link, page.path))}
                  </ul> `,
            )}
          </nav>
          ${contents(page)}
          <main id="content" tabindex="-1">${page.body}${neighbours(page, navigation)}${source(page)}</main>
        </div>
        <dialog id="search" aria-label="Search" data-index="${assets.searchIndex}">
          <form method="dialog" role="search">
            <label class="visually-hidden" for="search-text">Search the documentation</label>
            <input id="search-text" type="search" placeholder="Search guides and reference" autocomplete="off" />
            <button type="submit">Close</button>
          </form>
          <p id="search-status" role="status"></p>
          <ol id="search-results"></ol>
        </dialog>
      </body>
    </html> `.toString();
}

const navLink = ({ title, href, parts }: NavLink, current: string): Html =>
  html`<li>
    <a href="${href}" ${href === current ? html` aria-current="page"` : null}>${title}</a>${
      href === current && parts
        ? html`<ul>
            ${parts.map((part) => html`<li><a href="${part.href}">${part.title}</a></li>`)}
          </ul>`
        : null
    }
  </li> `;

/** Links to the pages before and after, in the order of the navigation. */
function neighbours(page: Page, navigation: readonly NavSection[]): Html | null {
  const links = navigation.flatMap((section) => section.links);
  const at = links.findIndex(({ href }) => href === page.path);
  if (at < 0) return null;
  const [before, after] = [links[at - 1], links[at + 1]];
  return html`<nav class="neighbours" aria-label="Previous and next page">
    ${before ? html`<a rel="prev" href="${before.href}"><span>Previous</span> ${before.title}</a>` : null}
    ${after ? html`<a rel="next" href="${after.href}"><span>Next</span> ${after.title}</a>` : null}
  </nav>`;
}

/** Fewer headings than this need no list of their own. */
const MIN_CONTENTS = 2;

/** Closed on a phone; on a desk the stylesheet shows it beside the text. */
function contents({ contents: headings }: Page): Html | null {
  const listed = headings.filter(({ level }) => level === 2 || level === 3);
  if (listed.length < MIN_CONTENTS) return null;
  return html`<aside class="contents" aria-label="On this page">
    <details>
      <summary>On this page</summary>
      <ul>
        ${listed.map(({ level, id, text }) => html`<li class="level-${level}"><a href="#${id}">${text}</a></li> `)}
      </ul>
    </details>
  </aside>`;
}

const source = ({ source: file }: Page): Html | null =>
  file === undefined ? null : html`<p class="source"><a href="${file}">This page as Markdown</a></p>`;
