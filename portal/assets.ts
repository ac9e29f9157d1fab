import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';

/** The files that the pages load, all from our own origin. */
export interface Asset {
  readonly type: string;
  readonly content: Buffer;
}

const own = (name: string): Buffer => readFileSync(new URL(`./assets/${name}`, import.meta.url));
const script = (content: Buffer): Asset => ({ type: 'text/javascript; charset=utf-8', content });
// The package exports only its readable build; the minified one is in the same folder.
const pad = readFileSync(new URL('./signature_pad.min.js', import.meta.resolve('signature_pad')));

const FILES: ReadonlyMap<string, Asset> = new Map([
  // One file for the browser: each further one delays the page.
  [
    'portal.css',
    { type: 'text/css; charset=utf-8', content: Buffer.concat([own('portal.css'), own('selection.css')]) },
  ],
  ['portal.js', script(own('portal.js'))],
  ['accept-form.js', script(own('accept-form.js'))],
  ['dock.js', script(own('dock.js'))],
  ['parse-page.js', script(own('parse-page.js'))],
  ['selection.js', script(own('selection.js'))],
  ['send.js', script(own('send.js'))],
  ['signature_pad.js', script(pad)],
]);

/**
 * A hash of all assets, used as the folder's name: relative imports keep working, and browsers never use outdated
 * cached files.
 */
export const ASSETS_VERSION = [...FILES.values()]
  .reduce((hash, { content }) => hash.update(content), createHash('sha256'))
  .digest('hex')
  .slice(0, 12);

export const assetNamed = (name: string): Asset | undefined => FILES.get(name);

export const assetUrl = (name: 'portal.css' | 'portal.js'): string => `/p/assets/${ASSETS_VERSION}/${name}`;
