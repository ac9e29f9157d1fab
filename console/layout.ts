import { type Html, html } from '../domain/html.ts';
import { type Visitor, navigation } from './navigation.ts';

/** The files that every page loads. */
export interface FrameAssets {
  readonly stylesheet: string;
  readonly scripts: readonly string[];
}

export interface Frame {
  readonly assets: FrameAssets;
  /** The signed-in user; pages without a session have no navigation. */
  readonly caller: Visitor | undefined;
  readonly path: string;
  /** The result of the action before, such as «Cliente creado». */
  readonly notice: string | undefined;
}

/** Nothing that needs inline code or styles, and no copies of pages in the browser's storage. */
const HTMX = JSON.stringify({
  allowEval: false,
  includeIndicatorStyles: false,
  selfRequestsOnly: true,
  historyEnabled: false,
  historyCacheSize: 0,
  // A refused filter is shown like the results.
  responseHandling: [
    { code: '204', swap: false },
    { code: '[23]..|400', swap: true },
    { code: '[45]..', swap: false, error: true },
  ],
});

/** The frame of all pages. */
export function layout(frame: Frame, title: string, body: Html): string {
  const { assets, caller } = frame;
  return html`<!doctype html>
    <html lang="es-MX">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="robots" content="noindex, nofollow" />
        <meta name="color-scheme" content="light dark" />
        <meta name="htmx-config" content="${HTMX}" />
        <title>${title} · Cotizaciones</title>
        <link rel="icon" href="data:," />
        <link rel="stylesheet" href="${assets.stylesheet}" />
        ${assets.scripts.map((script) => html`<script src="${script}" defer></script>`)}
      </head>
      <body class="${caller ? 'app' : 'account'}">
        <a class="skip" href="#contenido">Ir al contenido</a>
        ${caller ? navigation(caller, frame.path) : banner}
        <main id="contenido" class="content" tabindex="-1">${notice(frame)}${body}</main>
      </body>
    </html> `.toString();
}

const banner = html`<header class="account-head"><a class="wordmark" href="/app">Cotizaciones</a></header>`;

const notice = ({ notice: text }: Frame): Html | null =>
  text === undefined ? null : html`<p class="notice notice-good" role="status">${text}</p>`;

/** A page's heading with its main actions. */
export function heading(
  title: string,
  { lead, actions = [] }: { lead?: string | Html; actions?: readonly Html[] } = {},
) {
  return html`<div class="heading">
    <div>
      <h1>${title}</h1>
      ${lead === undefined ? null : html`<p class="lead">${lead}</p>`}
    </div>
    ${actions.length === 0 ? null : html`<div class="actions">${actions}</div>`}
  </div>`;
}
