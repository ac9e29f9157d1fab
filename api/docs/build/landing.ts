import { html } from '../../../domain/html.ts';
import type { Section } from '../documents.ts';
import { pageOf } from './document-page.ts';
import type { NavLink, Page } from './layout.ts';

/** The page at /docs: where to start, every guide, the groups of the reference, the documents of operators. */
export function landingPage(sections: readonly Section[], reference: readonly NavLink[]): Page {
  const [guides, ...others] = sections;
  const [first] = guides?.documents ?? [];
  return {
    path: '/docs',
    title: 'Documentation',
    description: 'Guides and reference of the quoting API',
    body: html`<article class="landing">
      <h1>Build on quotes</h1>
      <p class="lead">
        Create quotes, mail them to clients as PDF, and receive a signed event when they answer. Plain HTTP and JSON.
      </p>
      <p class="actions">
        ${first ? html`<a class="action" href="${pageOf(first.file)}">${first.title}</a>` : null}
        <a class="action plain" href="/docs/reference">API reference</a>
      </p>
      ${guides ? cards(guides) : null}
      <h2>API reference</h2>
      <ul class="groups">
        ${reference.map(({ title, href }) => html`<li><a href="${href}">${title}</a></li> `)}
      </ul>
      ${others.map(cards)}
      <h2>For programs</h2>
      <ul class="programs">
        <li>
          <a href="/api/v1/openapi.json"><code>/api/v1/openapi.json</code></a> the OpenAPI 3.1 document for integrations
        </li>
        <li>
          <a href="/api/openapi.json"><code>/api/openapi.json</code></a> also with sessions and the client portal
        </li>
        <li>
          <a href="/docs/reference.md"><code>/docs/reference.md</code></a> the reference as Markdown
        </li>
        <li>
          <a href="/llms.txt"><code>/llms.txt</code></a> every document, as Markdown
        </li>
        <li>
          <a href="/llms-full.txt"><code>/llms-full.txt</code></a> all guides and the reference in one file
        </li>
      </ul>
    </article>`,
    contents: [],
    kind: 'landing',
  };
}

const cards = ({ title, documents }: Section) =>
  html`<h2>${title}</h2>
    <ul class="cards">
      ${documents.map(
        ({ file, title: name, about }) =>
          html`<li>
            <h3><a href="${pageOf(file)}">${name}</a></h3>
            <p>${capitalised(about)}</p>
          </li> `,
      )}
    </ul> `;

const capitalised = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);
