import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { codeOf } from '../../../domain/refusal-reasons.ts';
import { ATTACHMENTS, DOCS_FOLDER, type Document, readSections } from '../documents.ts';
import { MANIFEST, type Manifest, type SiteFile } from '../manifest.ts';
import { type AssetFile, buildAssets, picture } from './assets.ts';
import { documentPage, pageOf } from './document-page.ts';
import { landingPage } from './landing.ts';
import { layout, type Page } from './layout.ts';
import { resolver } from './markdown.ts';
import type { OpenApi } from './reference/openapi.ts';
import { referenceMarkdown } from './reference/as-markdown.ts';
import { referencePages } from './reference/pages.ts';
import type { SearchRecord } from './search-records.ts';

const compressGzip = promisify(gzip);
const compressBrotli = promisify(brotliCompress);
/** Higher ones cost seconds of CPU for a few per cent. */
const BROTLI_QUALITY = 7;

export interface Site {
  readonly files: readonly AssetFile[];
  /** Links to nowhere. */
  readonly problems: readonly string[];
}

/** Renders all pages from docs/ and the OpenAPI document. */
export async function renderSite(openApi: OpenApi): Promise<Site> {
  const problems: string[] = [];
  const sections = readSections();
  const pictures = ATTACHMENTS.filter((file) => file.endsWith('.svg')).map(
    (file) => [file, picture(new URL(file, DOCS_FOLDER))] as const,
  );
  const addresses = new Map<string, string>([
    ...ATTACHMENTS.map((file) => [file, `/docs/${file}`] as const),
    ...sections.flatMap(({ documents }) => documents.map(({ file }) => [file, pageOf(file)] as const)),
  ]);
  const shown = new Map([...addresses, ...pictures.map(([file, { path: address }]) => [file, address] as const)]);
  const render = (document: Document, section: string) =>
    documentPage(document, {
      section,
      markdown: readFileSync(new URL(document.file, DOCS_FOLDER), 'utf8'),
      resolve: resolver(document.file, shown, problems),
    });

  const documents = sections.flatMap(({ title, documents: each }) => each.map((one) => render(one, title)));
  const errors = documents.find(({ page }) => page.path === '/docs/guides/errors')?.page;
  // Its headings begin with a code: "invalid (400)".
  const anchors = new Map(errors?.contents.map(({ id, text }) => [text.split(' ')[0] ?? '', id]));
  const reference = referencePages({
    document: openApi,
    explanationOf: (reason) => {
      const anchor = anchors.get(codeOf(reason) ?? '');
      return errors && anchor !== undefined ? `${errors.path}#${anchor}` : undefined;
    },
  });
  const records: readonly SearchRecord[] = [...documents.flatMap((each) => each.records), ...reference.records];
  const { assets, files } = await buildAssets(records);

  const [guides, ...others] = sections.map(({ title, documents: each }) => ({
    title,
    links: each.map(({ file, title: name }) => ({ title: name, href: pageOf(file) })),
  }));
  const navigation = [...(guides ? [guides] : []), { title: 'API reference', links: reference.links }, ...others];
  const pages = [landingPage(sections, reference.links), ...documents.map(({ page }) => page), ...reference.pages];
  const markdown = referenceMarkdown(openApi).map(({ path: address, text }): AssetFile => ({
    path: address,
    type: 'text/plain',
    content: Buffer.from(text),
  }));
  return { files: [...pages.map(pageFile), ...markdown, ...files, ...pictures.map(([, file]) => file)], problems };

  function pageFile(page: Page): AssetFile {
    return { path: page.path, type: 'text/html', content: Buffer.from(layout(page, { navigation, assets })) };
  }
}

/** Writes a site with its compressed forms into a folder, which appears complete or not at all. */
export async function writeSite(site: Site, target: string, inputs: string): Promise<void> {
  const part = `${target}.${process.pid}`;
  mkdirSync(part, { recursive: true });
  try {
    const written = await Promise.all(site.files.map((file, i) => write(part, file, String(i))));
    const manifest: Manifest = { inputs, problems: site.problems, files: Object.fromEntries(written) };
    writeFileSync(path.join(part, MANIFEST), JSON.stringify(manifest));
    rmSync(target, { recursive: true, force: true });
    renameSync(part, target);
  } finally {
    rmSync(part, { recursive: true, force: true });
  }
}

async function write(folder: string, file: AssetFile, name: string): Promise<readonly [string, SiteFile]> {
  const { content, type } = file;
  const params = {
    [constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY,
    [constants.BROTLI_PARAM_SIZE_HINT]: content.length,
  };
  const [gzipped, brotli] = await Promise.all([compressGzip(content), compressBrotli(content, { params })]);
  writeFileSync(path.join(folder, name), content);
  writeFileSync(path.join(folder, `${name}.gzip`), gzipped);
  writeFileSync(path.join(folder, `${name}.br`), brotli);
  // Weak, because all forms share it (RFC 9110, section 8.8.1).
  const etag = `W/"${createHash('sha256').update(content).digest('base64url')}"`;
  // The address of an asset contains the hash of its content.
  const cacheControl = file.path.startsWith('/docs/assets/')
    ? 'public, max-age=31536000, immutable'
    : 'public, max-age=60, must-revalidate';
  return [file.path, { name, type, etag, cacheControl }];
}
