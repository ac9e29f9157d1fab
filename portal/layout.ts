import { type Html, html } from '../domain/html.ts';
import type { Frame, Palette } from './view.ts';

/** The colours are validated hex codes. They are inserted into CSS, where HTML escaping has no effect. */
const variables = ({ brand, onBrand, brandText, tint }: Palette): Html =>
  html`:root { --brand: ${brand}; --on-brand: ${onBrand}; --brand-text: ${brandText}; --tint: ${tint}; }`;

/** The frame of all pages, without resources of other origins and with `noindex`. */
export function layout({ locale, nonce, theme, stylesheet, script }: Frame, title: string, body: Html): string {
  return html`<!doctype html>
    <html lang="${locale}">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="robots" content="noindex, nofollow" />
        <meta name="color-scheme" content="light dark" />
        <meta name="theme-color" content="${theme.light.brand}" />
        <meta name="format-detection" content="telephone=no,date=no,address=no" />
        <title>${title}</title>
        <link rel="icon" href="data:," />
        <link rel="stylesheet" href="${stylesheet}" />
        <style nonce="${nonce}">
          ${variables(theme.light)}
          @media screen and (prefers-color-scheme: dark) {
            ${variables(theme.dark)}
          }
        </style>
        <script type="module" src="${script}"></script>
      </head>
      <body>
        ${body}
      </body>
    </html> `.toString();
}
