import { STATUS_CODES } from 'node:http';
import { type Html, html } from '../../../../domain/html.ts';
import { codeBlock } from '../code-block.ts';
import { renderText } from '../markdown.ts';
import { curlOf } from './curl.ts';
import {
  type Content,
  errorsOf,
  exampleOf,
  isError,
  type OpenApi,
  type Operation,
  type Parameter,
  pathForKeys,
  type Response,
  resolved,
} from './openapi.ts';
import { describe, LANGUAGE, members, typeOf } from './schema.ts';

export interface References {
  readonly document: OpenApi;
  /** Address of the explanation of a reason, if a guide has one. */
  readonly explanationOf: (reason: string) => string | undefined;
}

/** The lines of a quote are members of its model. */
const SHOWN = { models: 1 };

/** One operation: what it does, takes and returns, with an example beside it. */
export function operationSection(references: References, operation: Operation): Html {
  const { operationId, summary = operationId, description } = operation;
  return html`<section class="operation" aria-labelledby="${operationId}">
    <h2 id="${operationId}" lang="${LANGUAGE}">
      ${summary} <a class="anchor" href="#${operationId}" aria-label="Link to ${operationId}" lang="en">#</a>
    </h2>
    <p class="route">${routeOf(operation)} <span class="soft">${operationId}</span></p>
    <div class="operation-text">
      ${description ? html`<div lang="${LANGUAGE}">${renderText(description)}</div>` : null}
      <p class="soft">${callers(operation)}</p>
      ${parametersOf(references.document, operation)}${requestOf(references.document, operation)}${responsesOf(
        references.document,
        operation,
      )}${errorsTable(references, operation)}
    </div>
    <div class="operation-code">
      ${codeBlock({ language: 'sh', title: 'Request', text: curlOf(references.document, operation) })}${responseExample(
        references.document,
        operation,
      )}
    </div>
  </section> `;
}

export const routeOf = (operation: Operation): Html =>
  html`<span class="method method-${operation.method.toLowerCase()}">${operation.method}</span>
    <code>${pathForKeys(operation)}</code>`;

function callers(operation: Operation): Html {
  const names = (operation.security ?? []).flatMap((scheme) => Object.keys(scheme));
  if (names.length === 0) return html`Public: needs no credentials.`;
  if (!names.includes('session')) return html`Called with an API key.`;
  const { path } = operation;
  return path === pathForKeys(operation)
    ? html`Called with an API key or a session.`
    : html`Called with an API key, or with a session at <code>${path}</code>.`;
}

const PLACES: Readonly<Record<string, string>> = {
  path: 'Path parameters',
  query: 'Query parameters',
  header: 'Request headers',
};

function parametersOf(document: OpenApi, { parameters = [] }: Operation): Html {
  const all = parameters.map((each) => resolved(document, each));
  return html`${Object.entries(PLACES).flatMap(([place, title]) => {
    const here = all.filter((each) => each.in === place);
    return here.length === 0
      ? []
      : [
          html`<h3>${title}</h3>
            <dl class="members">${here.map(parameter)}</dl> `,
        ];
  })}`;
}

const parameter = ({ name, required, description, schema = {} }: Parameter): Html =>
  html`<div>
    <dt>
      <code>${name}</code> <span class="type">${typeOf(schema)}</span>${
        required ? html` <span class="required">required</span>` : null
      }
    </dt>
    <dd>${describe({ ...schema, ...(description !== undefined && { description }) })}</dd>
  </div> `;

function requestOf(document: OpenApi, { requestBody }: Operation): Html | null {
  const [type, content] = Object.entries(requestBody?.content ?? {})[0] ?? [];
  if (!requestBody || !type || !content) return null;
  return html`<h3>Request body</h3>
    <p class="soft">
      ${type}${requestBody.required === true ? ', required' : ', optional'}${named(content)}${
        requestBody.description ? html`. <span lang="${LANGUAGE}">${requestBody.description}</span>` : null
      }
    </p>
    ${members(document, content.schema ?? {}, SHOWN)}`;
}

const named = ({ schema }: Content): Html | null => (schema?.$ref === undefined ? null : html`: ${typeOf(schema)}`);

function responsesOf(document: OpenApi, { responses = {} }: Operation): Html {
  const successes = Object.entries(responses).filter(([status]) => !isError(status));
  return html`<h3>Response</h3>
    ${successes.map(([status, given]) => success(document, status, resolved(document, given)))}`;
}

function success(document: OpenApi, status: string, { description, content = {} }: Response): Html {
  const bodies = Object.entries(content);
  return html`<p>
      <b>${status} ${STATUS_CODES[status] ?? ''}</b>${
        description ? html` · <span lang="${LANGUAGE}">${description}</span>` : null
      }
    </p>
    ${bodies.map(([type, body]) => {
      const list = body.schema && members(document, body.schema, SHOWN);
      const title = html`${type}${body.schema && type === 'application/json' ? html`: ${typeOf(body.schema)}` : null}`;
      return list
        ? html`<p class="soft">${title}</p>
            <details class="nested">
              <summary>Members of the response</summary>
              ${list}
            </details>`
        : html`<p class="soft">${title}</p>`;
    })}`;
}

function errorsTable({ document, explanationOf }: References, operation: Operation): Html | null {
  const rows = errorsOf(document, operation);
  if (rows.length === 0) return null;
  return html`<details class="nested">
    <summary>Errors (${rows.length})</summary>
    <div class="table" tabindex="0">
      <table>
        <thead>
          <tr>
            <th scope="col">Status</th>
            <th scope="col">Reason</th>
            <th scope="col">Message</th>
          </tr>
        </thead>
        <tbody>
          ${rows.map(
            ({ status, reason, message }) =>
              html`<tr>
                <td>${status}</td>
                <td>${reasonLink(reason, explanationOf(reason))}</td>
                <td lang="${LANGUAGE}">${message}</td>
              </tr> `,
          )}
        </tbody>
      </table>
    </div>
  </details>`;
}

const reasonLink = (reason: string, href: string | undefined): Html =>
  href === undefined ? html`<code>${reason}</code>` : html`<a href="${href}"><code>${reason}</code></a>`;

function responseExample(document: OpenApi, { responses = {} }: Operation): Html | null {
  for (const [status, given] of Object.entries(responses)) {
    const body = resolved(document, given).content?.['application/json'];
    const example = body && !isError(status) ? exampleOf(document, body) : undefined;
    if (example === undefined) continue;
    return codeBlock({ language: 'json', title: `Response ${status}`, text: JSON.stringify(example, null, 2) });
  }
  return null;
}
