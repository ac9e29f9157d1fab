import { execFile } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Context } from 'koa';
import { hashOfInputs, repository } from './inputs.ts';
import { MANIFEST, type Manifest, type SiteFile } from './manifest.ts';

/** Written by `npm run build` next to the compiled code. */
const BUILT = fileURLToPath(new URL('../../site', import.meta.url));
const IS_SOURCE = import.meta.url.endsWith('.ts');
const BUILDER = fileURLToPath(new URL(`./build/main${IS_SOURCE ? '.ts' : '.js'}`, import.meta.url));
/** A build that hangs must not keep requests. */
const BUILD_TIMEOUT_MS = 60_000;

interface Site {
  readonly folder: string;
  readonly manifest: Manifest;
}

/**
 * The rendered documentation: that of the build, else one that is built at the first request, and from source also after
 * a change of a document.
 */
export class DocumentationSite {
  readonly #openApi: () => string;
  #document: string | undefined;
  #current: Site | undefined;
  #building: Promise<void> | undefined;

  constructor(openApi: () => string) {
    this.#openApi = openApi;
  }

  /** Responds with the file at the request's path; leaves the response alone when there is none. */
  async send(ctx: Context, headers: Readonly<Record<string, string>>): Promise<void> {
    const { folder, manifest } = await this.#site();
    const file = manifest.files[ctx.path] ?? renamed(manifest, ctx.path);
    if (!file) return;
    ctx.type = file.type;
    ctx.set({
      ...headers,
      ETag: file.etag,
      'Cache-Control': file.cacheControl,
    });
    ctx.vary('Accept-Encoding');
    ctx.status = 200;
    if (ctx.fresh) {
      ctx.status = 304;
      return;
    }
    // One by one: asked for the best, Koa follows the client's order, and browsers name gzip first.
    const encoding = ['br', 'gzip'].find((each) => ctx.acceptsEncodings(each) === each);
    if (encoding !== undefined) ctx.set('Content-Encoding', encoding);
    ctx.body = await readFile(path.join(folder, encoding === undefined ? file.name : `${file.name}.${encoding}`));
  }

  async #site(): Promise<Site> {
    if (!IS_SOURCE && this.#current && existsSync(path.join(this.#current.folder, MANIFEST))) return this.#current;
    const folder = existsSync(path.join(BUILT, MANIFEST)) ? BUILT : await this.#cacheFolder();
    if (this.#current?.folder !== folder) this.#current = read(folder);
    return this.#current;
  }

  /** Named by the inputs, so that a changed document is another folder. */
  async #cacheFolder(): Promise<string> {
    this.#document ??= this.#openApi();
    const folder = path.join(repository(), '.compiled', `docs-${hashOfInputs(this.#document)}`);
    if (!existsSync(path.join(folder, MANIFEST))) {
      this.#building ??= build(folder, this.#document).finally(() => (this.#building = undefined));
      await this.#building;
    }
    return folder;
  }
}

/** A page from before an update requests old names: it gets the current files, uncached. */
function renamed({ files }: Manifest, requested: string): SiteFile | undefined {
  const plain = (address: string) => address.replace(/-[0-9A-Z]{8}(\.\w+)$/, '$1');
  if (plain(requested) === requested) return undefined;
  const found = Object.entries(files).find(([address]) => plain(address) === plain(requested))?.[1];
  return found && { ...found, cacheControl: 'no-store' };
}

const read = (folder: string): Site => ({
  folder,
  // Only the builder writes it.
  manifest: JSON.parse(readFileSync(path.join(folder, MANIFEST), 'utf8')) as Manifest,
});

/** In a process of its own, so that requests do not wait for its CPU time. */
function build(folder: string, openApi: string): Promise<void> {
  const loader = IS_SOURCE ? ['--import', 'tsx'] : [];
  return new Promise((resolve, reject) => {
    const child = execFile(
      process.execPath,
      [...loader, BUILDER, folder],
      // It gets nothing of our environment, which holds secrets.
      { cwd: repository(), env: {}, timeout: BUILD_TIMEOUT_MS },
      (error) => (error ? reject(error) : resolve()),
    );
    child.stdin?.on('error', () => undefined).end(openApi);
  });
}
