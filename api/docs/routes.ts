import type { Router } from '@koa/router';
import type { Deps } from '../deps.ts';
import { ATTACHMENTS, DOCS_FOLDER, readSections } from './documents.ts';
import { llmsFullText, llmsText } from './llms.ts';
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

/** /api/openapi.json, the pages under /docs, the documents as Markdown and /llms.txt, all from our own origin. */
export function docsRoutes(router: Router, deps: Pick<Deps, 'config' | 'rateLimits'>, document: object): void {
  const serve = (path: string, file: StaticFile): void => {
    router.get(path, async (ctx) => {
      await deps.rateLimits.count('default', { caller: undefined, ip: ctx.ip });
      await file.send(ctx);
    });
  };

  serve('/api/openapi.json', staticFile('application/json', JSON.stringify(document)));
  const sections = readSections();
  serve('/llms.txt', staticFile('text/plain', llmsText(deps.config.PUBLIC_URL, sections)));
  serve('/llms-full.txt', staticFile('text/plain', llmsFullText(sections)));
  // Programs too are plain text, so that browsers show them and do not run them.
  const documents = sections.flatMap((section) => section.documents.map(({ file }) => file));
  for (const file of [...documents, ...ATTACHMENTS]) {
    serve(`/docs/${file}`, staticFile('text/plain', new URL(file, DOCS_FOLDER)));
  }

  // The pages name no address of the installation, so that one build serves all.
  const site = new DocumentationSite(JSON.stringify({ ...document, servers: [] }));
  const page = {
    send: (ctx: Parameters<StaticFile['send']>[0]) => site.send(ctx, { 'Content-Security-Policy': POLICY }),
  };
  serve('/docs', page);
  serve('/docs/*path', page);
}
