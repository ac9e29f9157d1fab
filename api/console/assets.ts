import { readFileSync } from 'node:fs';
import type { FrameAssets } from '../../console/layout.ts';
import { type Asset, textAsset, versionOf } from '../../portal/assets.ts';
import type { AssetFolder } from '../assets.ts';

const own = (name: string): Buffer => readFileSync(new URL(`../../console/assets/${name}`, import.meta.url));
// The package's main file is a module; the page loads the classic script.
const htmx = readFileSync(new URL('./htmx.min.js', import.meta.resolve('htmx.org')));

const FILES: ReadonlyMap<string, Asset> = new Map([
  ['console.css', textAsset('text/css', own('console.css'))],
  ['console.js', textAsset('text/javascript', own('console.js'))],
  ['htmx.js', textAsset('text/javascript', htmx)],
  ['branding.js', textAsset('text/javascript', own('branding.js'))],
  ['board.js', textAsset('text/javascript', own('board.js'))],
]);

export const CONSOLE_ASSETS: AssetFolder = {
  path: '/console/assets',
  version: versionOf(FILES),
  named: (name) => FILES.get(name),
};

/** The address of a file, for pages that load it besides those of the frame. */
export const assetUrl = (name: string): string => `${CONSOLE_ASSETS.path}/${CONSOLE_ASSETS.version}/${name}`;

/** The files of every page. */
export const FRAME_ASSETS: FrameAssets = {
  stylesheet: assetUrl('console.css'),
  scripts: [assetUrl('htmx.js'), assetUrl('console.js')],
};
