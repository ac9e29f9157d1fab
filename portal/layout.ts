import { type Html, html } from '../domain/html.ts';
import type { Frame } from './view.ts';

/** The frame of all pages, without resources of other origins and with `noindex`. */
export function layout({ locale, nonce, theme, stylesheet, script }: Frame, title: string, body: Html): string {
  // The colours are validated hex codes. They are inserted into CSS, where HTML escaping has no effect.
  return html`<!doctype html>
    <html lang="${locale}">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="robots" content="noindex, nofollow" />
        <meta name="color-scheme" content="light" />
        <meta name="theme-color" content="${theme.brand}" />
        <meta name="format-detection" content="telephone=no,date=no,address=no" />
        <title>${title}</title>
        <link rel="icon" href="data:," />
        <link rel="stylesheet" href="${stylesheet}" />
        <style nonce="${nonce}">
          :root {
            --brand: ${theme.brand};
            --on-brand: ${theme.onBrand};
            --brand-text: ${theme.brandText};
            --tint: ${theme.tint};
          }
        </style>
        <script type="module" src="${script}"></script>
      </head>
      <body>
        ${body}
      </body>
    </html> `.toString();
}
