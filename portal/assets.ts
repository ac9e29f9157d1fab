import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';

/** The files that the pages load, all from our own origin. */
export interface Asset {
  readonly type: string;
  readonly content: Buffer;
}

const own = (name: string): Buffer => readFileSync(new URL(`./assets/${name}`, import.meta.url));
// The package names only its readable build as an entry; the small one stands beside it.
const pad = readFileSync(new URL('./signature_pad.min.js', import.meta.resolve('signature_pad')));

const FILES: ReadonlyMap<string, Asset> = new Map([
  ['portal.css', { type: 'text/css; charset=utf-8', content: own('portal.css') }],
  ['portal.js', { type: 'text/javascript; charset=utf-8', content: own('portal.js') }],
  ['signature_pad.js', { type: 'text/javascript; charset=utf-8', content: pad }],
]);

export const assetNamed = (name: string): Asset | undefined => FILES.get(name);

/** Where a file is, with its content in the address: a new one is never mistaken for one that a browser kept. */
export function assetUrl(name: 'portal.css' | 'portal.js'): string {
  const content = FILES.get(name)?.content ?? '';
  return `/p/assets/${name}?v=${createHash('sha256').update(content).digest('hex').slice(0, 12)}`;
}
