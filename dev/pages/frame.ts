import type { Context } from 'koa';
import { Html, html } from '../../domain/html.ts';

const STYLE = `
  body { font: 16px/1.5 system-ui, sans-serif; max-width: 60rem; margin: 2rem auto; padding: 0 1rem; color: #1b2430; }
  article { border-top: 1px solid #c9d1db; padding: 1rem 0; }
  pre { background: #f3f5f8; padding: .75rem; overflow-x: auto; white-space: pre-wrap; overflow-wrap: anywhere; }
  .valid { color: #12662f; } .invalid { color: #a3130f; }
  td { vertical-align: top; padding: .25rem 1rem .25rem 0; }
  input, button { font: inherit; padding: .5rem .75rem; box-sizing: border-box; }
  form { display: grid; grid-template-columns: repeat(auto-fill, minmax(13rem, 1fr)); gap: .75rem 1rem; align-items: end; margin: 1rem 0 1.5rem; }
  label { display: grid; gap: .25rem; }
  label.wide { grid-column: 1 / -1; }
  input { width: 100%; min-width: 0; }
  form button { justify-self: start; }
`;

/** A whole page for people who try the service on their own machine, without scripts. */
export const htmlPage = (title: string, style: string, content: readonly Html[]): string =>
  html`<!doctype html>
    <html lang="es-MX">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>${title}</title>
        <link rel="icon" href="data:," />
        <style>
          ${new Html(style)}
        </style>
      </head>
      <body>
        ${content}
      </body>
    </html>`.toString();

/** A page of the service's development routes. */
export const devFrame = (title: string, content: readonly Html[]): string => htmlPage(title, STYLE, content);

const POLICY =
  "default-src 'none'; style-src 'unsafe-inline'; img-src data:; form-action 'self'; base-uri 'none'; frame-ancestors 'none'";

/** Responds with such a page. */
export function showPage(ctx: Context, page: string): void {
  ctx.set('Content-Security-Policy', POLICY);
  ctx.set('Cache-Control', 'no-store');
  ctx.type = 'text/html';
  ctx.body = page;
}
