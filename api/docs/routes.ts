import type { Router } from '@koa/router';
import type { Deps } from '../deps.ts';
import { integratorDocument, openApiDocument } from '../openapi/document.ts';
import type { Route } from '../route.ts';
import { referenceMarkdown } from './build/reference/as-markdown.ts';
import type { OpenApi } from './build/reference/openapi.ts';
import { ATTACHMENTS, DOCS_FOLDER, readSections } from './documents.ts';
import { llmsFullText, llmsText } from './llms.ts';
import { referenceDocument } from './reference-document.ts';
import { DocumentationSite } from './site.ts';
import { type StaticFile, staticFile } from './static-file.ts';

const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

/** The OpenAPI documents, the pages under /docs, the documents as Markdown and /llms.txt, all from our own origin. */
export function docsRoutes(router: Router, deps: Pick<Deps, 'config' | 'rateLimits'>, routes: readonly Route[]): void {
  const serve = (path: string, file: StaticFile): void => {
    router.get(path, async (ctx) => {
      await deps.rateLimits.count('default', { caller: undefined, ip: ctx.ip });
      await file.send(ctx);
    });
  };

  const { PUBLIC_URL } = deps.config;
  const json = (document: () => object) => staticFile('application/json', () => JSON.stringify(document()));
  serve(
    '/api/openapi.json',
    json(() => openApiDocument(routes, PUBLIC_URL)),
  );
  serve(
    '/api/v1/openapi.json',
    json(() => integratorDocument(routes, PUBLIC_URL)),
  );
  const sections = readSections();
  // Made at the first request: together these documents would take a tenth of the start.
  const document = () => referenceDocument(routes);
  const reference = () => referenceMarkdown(JSON.parse(document()) as OpenApi);
  serve(
    '/llms.txt',
    staticFile('text/plain', () => llmsText(PUBLIC_URL, sections, reference())),
  );
  serve(
    '/llms-full.txt',
    staticFile('text/plain', () => llmsFullText(sections, reference())),
  );
  // Programs too are plain text, so that browsers show them and do not run them.
  const documents = sections.flatMap((section) => section.documents.map(({ file }) => file));
  for (const file of [...documents, ...ATTACHMENTS]) {
    serve(`/docs/${file}`, staticFile('text/plain', new URL(file, DOCS_FOLDER)));
  }

  const site = new DocumentationSite(document);
  const page = {
    send: (ctx: Parameters<StaticFile['send']>[0]) => site.send(ctx, { 'Content-Security-Policy': POLICY }),
  };
  serve('/docs', page);
  serve('/docs/*path', page);
}
