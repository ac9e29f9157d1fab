import { type Html, html } from '../../../../domain/html.ts';
import { codeBlock } from '../code-block.ts';
import type { NavLink, Page } from '../layout.ts';
import { type Heading, renderMarkdown, renderText } from '../markdown.ts';
import type { SearchRecord } from '../search-records.ts';
import {
  EVENTS_PAGE,
  exampleOf,
  type Group,
  groupsOf,
  MODELS_PAGE,
  type OpenApi,
  type Operation,
  pathForKeys,
  resolved,
  ROOT,
} from './openapi.ts';
import { operationSection, type References, routeOf } from './operation.ts';
import { LANGUAGE, members } from './schema.ts';

const SECTION = 'API reference';

export interface Reference {
  readonly pages: readonly Page[];
  readonly records: readonly SearchRecord[];
  readonly links: readonly NavLink[];
}

/** The pages of the reference: an overview, one for each tag, the events and the models. */
export function referencePages(references: References): Reference {
  const { document } = references;
  const groups = groupsOf(document);
  const events = Object.entries(document.webhooks ?? {});
  const models = Object.entries(document.components?.schemas ?? {});
  return {
    pages: [
      overview(document, groups),
      ...groups.map((group) => groupPage(references, group)),
      eventsPage(document),
      modelsPage(document),
    ],
    links: [
      { title: 'Overview', href: ROOT },
      ...groups.map(({ name, path, operations }) => ({
        title: name,
        href: path,
        parts: operations.map(({ operationId, summary }) => ({
          title: summary ?? operationId,
          href: `${path}#${operationId}`,
        })),
      })),
      {
        title: 'Webhook events',
        href: EVENTS_PAGE,
        parts: events.map(([name]) => ({ title: name, href: `${EVENTS_PAGE}#${name}` })),
      },
      { title: 'Models', href: MODELS_PAGE },
    ],
    records: [
      { href: ROOT, page: SECTION, heading: SECTION, text: document.info.description ?? '', section: SECTION },
      ...groups.flatMap(({ name, path, operations }) =>
        operations.map((each) => recordOf(document, each, { name, path })),
      ),
      ...events.map(([name, item]) => ({
        href: `${EVENTS_PAGE}#${name}`,
        page: 'Webhook events',
        heading: name,
        text: (item['post']?.description ?? '').replaceAll('`', ''),
        section: SECTION,
      })),
      ...models.map(([name, { description = '', properties = {} }]) => ({
        href: `${MODELS_PAGE}#${name}`,
        page: 'Models',
        heading: name,
        text: [description, ...Object.keys(properties)].join(' '),
        section: SECTION,
      })),
    ],
  };
}

function recordOf(document: OpenApi, operation: Operation, group: Pick<Group, 'name' | 'path'>): SearchRecord {
  const { method, operationId, summary = '', description = '', parameters = [] } = operation;
  const names = parameters.map((each) => resolved(document, each).name);
  return {
    href: `${group.path}#${operationId}`,
    page: group.name,
    heading: `${method} ${pathForKeys(operation)}`,
    text: [`${summary}.`, description.replaceAll('`', ''), operationId, ...names].join(' '),
    section: SECTION,
  };
}

function overview({ info }: OpenApi, groups: readonly Group[]): Page {
  const introduction = renderMarkdown(info.description ?? '', (target) => target);
  return {
    path: ROOT,
    source: `${ROOT}.md`,
    title: SECTION,
    description: 'Every operation of the API with its parameters, bodies, examples and errors',
    body: html`<article class="prose">
        <p class="eyebrow">${SECTION}</p>
        <h1>${SECTION}</h1>
        <p>
          Every operation. The OpenAPI 3.1 document for integrations is
          <a href="/api/v1/openapi.json"><code>/api/v1/openapi.json</code></a
          >; with the operations of sessions and of the client portal it is
          <a href="/api/openapi.json"><code>/api/openapi.json</code></a
          >. As Markdown it is <a href="/docs/reference.md"><code>/docs/reference.md</code></a
          >. Examples read address and key from <code>QUOTING_URL</code> and <code>QUOTING_API_KEY</code>. Errors are
          those of calls with a key, if the operation takes one.
        </p>
        ${introduction.body}
      </article>
      ${groups.map(
        ({ name, path, operations, description }) =>
          html`<section class="index">
            <h2><a href="${path}">${name}</a></h2>
            <p class="soft">${description}</p>
            <ul>
              ${operations.map(
                (each) =>
                  html`<li>
                    <a href="${path}#${each.operationId}">${routeOf(each)}</a>
                    <span lang="${LANGUAGE}">${each.summary ?? ''}</span>
                  </li> `,
              )}
            </ul>
          </section>`,
      )}`,
    contents: introduction.headings,
    kind: 'reference',
  };
}

const groupPage = (references: References, { name, description, path, operations }: Group): Page => ({
  path,
  source: `${path}.md`,
  title: name,
  description: description || name,
  body: html`<article>
    <p class="eyebrow">${SECTION}</p>
    <h1>${name}</h1>
    <p class="lead">${description}</p>
    ${operations.map((operation) => operationSection(references, operation))}
  </article>`,
  contents: [],
  kind: 'reference',
});

function eventsPage(document: OpenApi): Page {
  const events = Object.entries(document.webhooks ?? {});
  return {
    path: EVENTS_PAGE,
    source: `${EVENTS_PAGE}.md`,
    title: 'Webhook events',
    description: 'The body of every event',
    body: html`<article>
      <p class="eyebrow">${SECTION}</p>
      <h1>Webhook events</h1>
      <p class="lead">The request that each event makes to its subscribers.</p>
      ${events.map(([name, item]) => {
        const { description = '', requestBody } = item['post'] ?? {};
        const content = requestBody?.content?.['application/json'] ?? {};
        return html`<section class="operation" aria-labelledby="${name}">
          <h2 id="${name}">
            <code>${name}</code> <a class="anchor" href="#${name}" aria-label="Link to ${name}">#</a>
          </h2>
          <div class="operation-text">
            <div lang="${LANGUAGE}">${renderText(description)}</div>
            <h3>Body</h3>
            ${members(document, content.schema ?? {}, { models: 2 })}
          </div>
          <div class="operation-code">
            ${codeBlock({ language: 'json', title: 'Body', text: JSON.stringify(exampleOf(document, content) ?? {}, null, 2) })}
          </div>
        </section>`;
      })}
    </article>`,
    contents: [],
    kind: 'reference',
  };
}

function modelsPage(document: OpenApi): Page {
  const models = Object.entries(document.components?.schemas ?? {});
  return {
    path: MODELS_PAGE,
    source: `${MODELS_PAGE}.md`,
    title: 'Models',
    description: 'The named shapes of requests and responses',
    body: html`<article>
      <p class="eyebrow">${SECTION}</p>
      <h1>Models</h1>
      <p class="lead">The named shapes of requests and responses.</p>
      ${models.map(
        ([name, schema]): Html =>
          html`<section class="model" aria-labelledby="${name}">
            <h2 id="${name}">
              <code>${name}</code> <a class="anchor" href="#${name}" aria-label="Link to ${name}">#</a>
            </h2>
            ${schema.description ? html`<p lang="${LANGUAGE}">${schema.description}</p>` : null}
            ${members(document, schema, { models: 0 }) ?? values(schema.enum ?? [])}
          </section>`,
      )}
    </article>`,
    contents: models.map(([name]): Heading => ({ level: 2, id: name, text: name })),
    kind: 'reference',
  };
}

const values = (all: readonly unknown[]): Html =>
  html`<p class="values">${all.map((value) => html`<code>${String(value)}</code> `)}</p>`;
