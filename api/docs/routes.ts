import { readFile } from 'node:fs/promises';
import type { Router } from '@koa/router';
import { html } from '../../domain/html.ts';
import { ATTACHMENTS, DOCUMENTS, llmsText } from './documents.ts';

/** The reference's script, from the package's own folder: it names only its plugin as an entry. */
const SCRIPT = new URL('./js/standalone.js', import.meta.resolve('@scalar/fastify-api-reference'));

const SETTINGS = {
  url: '/api/openapi.json',
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

/** The folder of the documents; the build copies it beside the compiled code. */
const FOLDER = new URL('../../docs/', import.meta.url);

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

// The page may load what is ours and nothing else; the reference writes style elements of its own.
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

/** /api/openapi.json, /docs to read it and try it, the documents and /llms.txt, all from our own origin. */
export function docsRoutes(router: Router, document: object, publicUrl: string): void {
  const json = JSON.stringify(document);
  let script: Promise<Buffer> | undefined;

  router.get('/api/openapi.json', (ctx) => {
    ctx.type = 'application/json';
    ctx.body = json;
  });
  router.get('/docs', (ctx) => {
    ctx.set('Content-Security-Policy', POLICY);
    ctx.type = 'text/html';
    ctx.body = PAGE;
  });
  router.get('/docs/start.js', (ctx) => {
    ctx.type = 'text/javascript';
    ctx.body = `Scalar.createApiReference('#reference', ${JSON.stringify(SETTINGS)});`;
  });
  router.get('/docs/reference.js', async (ctx) => {
    script ??= readFile(SCRIPT);
    ctx.type = 'text/javascript';
    ctx.set('Cache-Control', 'public, max-age=86400');
    ctx.body = await script;
  });

  router.get('/llms.txt', (ctx) => {
    ctx.type = 'text/plain';
    ctx.body = llmsText(publicUrl);
  });
  // Plain text, also what is a program: browsers show it, and none runs it.
  for (const file of [...DOCUMENTS.map((each) => each.file), ...ATTACHMENTS]) {
    router.get(`/docs/${file}`, async (ctx) => {
      ctx.type = 'text/plain';
      ctx.body = await readFile(new URL(file, FOLDER));
    });
  }
}
