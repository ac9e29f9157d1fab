import type { Router } from '@koa/router';
import { html } from '../../domain/html.ts';
import type { Deps } from '../deps.ts';
import { integratorDocument, openApiDocument } from '../openapi/document.ts';
import type { Route } from '../route.ts';
import { ATTACHMENTS, DOCUMENTS, llmsText } from './documents.ts';
import { type StaticFile, staticFile } from './static-file.ts';

/** Resolved by path: the package does not export its standalone script. */
const SCRIPT = new URL('./js/standalone.js', import.meta.resolve('@scalar/fastify-api-reference'));

const SETTINGS = {
  url: '/api/v1/openapi.json',
  theme: 'default',
  layout: 'modern',
  withDefaultFonts: false,
  telemetry: false,
  showDeveloperTools: 'never',
  agent: { disabled: true },
  mcp: { disabled: true },
  hideClientButton: true,
  authentication: { preferredSecurityScheme: 'apiKey' },
};

/** The build copies this folder next to the compiled code. */
const DOCS_FOLDER = new URL('../../docs/', import.meta.url);

const LINKS = DOCUMENTS.map(({ file, title }) => html`<a href="/docs/${file}">${title}</a>`);

const PAGE = html`<!doctype html>
  <html lang="es-MX">
    <head>
      <meta charset="utf-8" />
      <meta name="viewport" content="width=device-width, initial-scale=1" />
      <title>Cotizaciones · Referencia de la API</title>
      <style>
        nav {
          display: flex;
          flex-wrap: wrap;
          gap: 4px 16px;
          padding: 8px 16px;
          font:
            14px/1.5 system-ui,
            sans-serif;
        }
      </style>
    </head>
    <body>
      <nav aria-label="Documentos">${LINKS}</nav>
      <div id="reference"></div>
      <script src="/docs/reference.js"></script>
      <script src="/docs/start.js"></script>
    </body>
  </html> `.toString();

// Only our own origin; the reference adds inline styles.
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  "font-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

/** The OpenAPI documents, their reference at /docs, the documents and /llms.txt, all from our own origin. */
export function docsRoutes(router: Router, deps: Pick<Deps, 'config' | 'rateLimits'>, routes: readonly Route[]): void {
  const serve = (path: string, file: StaticFile): void => {
    router.get(path, async (ctx) => {
      await deps.rateLimits.count('default', { caller: undefined, ip: ctx.ip });
      await file.send(ctx);
    });
  };

  const { PUBLIC_URL } = deps.config;
  serve('/api/openapi.json', staticFile('application/json', JSON.stringify(openApiDocument(routes, PUBLIC_URL))));
  serve('/api/v1/openapi.json', staticFile('application/json', JSON.stringify(integratorDocument(routes, PUBLIC_URL))));
  serve('/docs', staticFile('text/html', PAGE, { 'Content-Security-Policy': POLICY }));
  serve(
    '/docs/start.js',
    staticFile('text/javascript', `Scalar.createApiReference('#reference', ${JSON.stringify(SETTINGS)});`),
  );
  serve('/docs/reference.js', staticFile('text/javascript', SCRIPT, { 'Cache-Control': 'public, max-age=86400' }));
  serve('/llms.txt', staticFile('text/plain', llmsText(deps.config.PUBLIC_URL)));
  // Programs too are plain text, so that browsers show them and do not run them.
  for (const file of [...DOCUMENTS.map((each) => each.file), ...ATTACHMENTS]) {
    serve(`/docs/${file}`, staticFile('text/plain', new URL(file, DOCS_FOLDER)));
  }
}
