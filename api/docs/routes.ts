import { readFile } from 'node:fs/promises';
import type { Router } from '@koa/router';

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

const PAGE = `<!doctype html>
<html lang="es-MX">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>Cotizaciones · Referencia de la API</title>
  </head>
  <body>
    <div id="reference"></div>
    <script src="/docs/reference.js"></script>
    <script src="/docs/start.js"></script>
  </body>
</html>
`;

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

/** /api/openapi.json, and /docs to read it and try it, all from our own origin. */
export function docsRoutes(router: Router, document: object): void {
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
}
