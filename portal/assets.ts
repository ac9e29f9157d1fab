import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';

/** The files that the pages load, all from our own origin. */
export interface Asset {
  readonly type: string;
  readonly content: Buffer;
  /** Null for fonts, which are compressed already. */
  readonly gzipped: Buffer | null;
}

const own = (name: string): Buffer => readFileSync(new URL(`./assets/${name}`, import.meta.url));
/** A text file, also compressed. */
export const textAsset = (type: string, content: Buffer): Asset => ({
  type: `${type}; charset=utf-8`,
  content,
  gzipped: gzipSync(content, { level: 9 }),
});
const script = (content: Buffer): Asset => textAsset('text/javascript', content);
/** The same files as in the signed document (adapters/pdf/font-files.ts). */
const font = (subset: 'latin' | 'latin-ext'): Asset => ({
  type: 'font/woff2',
  content: readFileSync(
    new URL(import.meta.resolve(`@fontsource/dancing-script/files/dancing-script-${subset}-400-normal.woff2`)),
  ),
  gzipped: null,
});
// The package exports only its readable build; the minified one is in the same folder.
const pad = readFileSync(new URL('./signature_pad.min.js', import.meta.resolve('signature_pad')));

const FILES: ReadonlyMap<string, Asset> = new Map([
  // One file for the browser: each further one delays the page.
  ['portal.css', textAsset('text/css', Buffer.concat([own('portal.css'), own('selection.css')]))],
  ['portal.js', script(own('portal.js'))],
  ['accept-form.js', script(own('accept-form.js'))],
  ['dock.js', script(own('dock.js'))],
  ['parse-page.js', script(own('parse-page.js'))],
  ['selection.js', script(own('selection.js'))],
  ['send.js', script(own('send.js'))],
  ['signature-font.js', script(own('signature-font.js'))],
  ['signature_pad.js', script(pad)],
  ['signature.woff2', font('latin')],
  ['signature-extended.woff2', font('latin-ext')],
]);

/**
 * A hash of all assets, used as the folder's name: relative imports keep working, and browsers never use outdated
 * cached files.
 */
export const versionOf = (files: ReadonlyMap<string, Asset>): string =>
  [...files.values()]
    .reduce((hash, { content }) => hash.update(content), createHash('sha256'))
    .digest('hex')
    .slice(0, 12);

export const ASSETS_VERSION = versionOf(FILES);

export const assetNamed = (name: string): Asset | undefined => FILES.get(name);

export const assetUrl = (name: 'portal.css' | 'portal.js'): string => `/p/assets/${ASSETS_VERSION}/${name}`;
