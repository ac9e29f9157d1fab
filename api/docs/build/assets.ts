import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import type { SearchRecord } from './search-records.ts';

const FOLDER = new URL('../assets/', import.meta.url);
const PUBLIC = '/docs/assets';

/** Addresses of the files that every page loads. */
export interface Assets {
  readonly stylesheet: string;
  readonly script: string;
  readonly searchIndex: string;
}

export interface AssetFile {
  readonly path: string;
  readonly type: string;
  readonly content: Buffer;
}

/** Bundles style and scripts. Every name contains a hash of its content, so that browsers never ask again. */
export async function buildAssets(
  records: readonly SearchRecord[],
): Promise<{ readonly assets: Assets; readonly files: readonly AssetFile[] }> {
  const entries = ['docs.js', 'docs.css'].map((name) => fileURLToPath(new URL(name, FOLDER)));
  const { outputFiles } = await build({
    entryPoints: entries,
    outdir: PUBLIC,
    entryNames: '[name]-[hash]',
    chunkNames: '[name]-[hash]',
    write: false,
    bundle: true,
    splitting: true,
    minify: true,
    format: 'esm',
    target: 'es2022',
    logLevel: 'silent',
  });
  const bundled = outputFiles.map(({ path, contents }) => ({
    path: `${PUBLIC}/${path.split('/').at(-1)}`,
    type: path.endsWith('.css') ? 'text/css' : 'text/javascript',
    content: Buffer.from(contents),
  }));
  const searchIndex = hashedAsset('search.json', 'application/json', Buffer.from(JSON.stringify(records)));
  const addressOf = (pattern: RegExp): string => bundled.find(({ path }) => pattern.test(path))?.path ?? '';
  return {
    assets: {
      stylesheet: addressOf(/\/docs-\w+\.css$/),
      script: addressOf(/\/docs-\w+\.js$/),
      searchIndex: searchIndex.path,
    },
    files: [...bundled, searchIndex],
  };
}

/** A file whose name contains the hash of its content. */
export function hashedAsset(name: string, type: string, content: Buffer): AssetFile {
  const hash = createHash('sha256').update(content).digest('hex').slice(0, 8).toUpperCase();
  return { path: `${PUBLIC}/${name.replace(/(\.\w+)$/, `-${hash}$1`)}`, type, content };
}

/** A picture that documents show. */
export const picture = (file: URL): AssetFile =>
  hashedAsset(file.pathname.split('/').at(-1) ?? '', 'image/svg+xml', readFileSync(file));
