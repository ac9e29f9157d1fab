import type { Router } from '@koa/router';
import type { Asset } from '../portal/assets.ts';

/** Files of pages, in a folder that is named after their content. */
export interface AssetFolder {
  /** "/p/assets" */
  readonly path: string;
  readonly version: string;
  readonly named: (name: string) => Asset | undefined;
}

/** Serves `<path>/<version>/<file>`, which browsers may keep for ever. */
export function serveAssets(router: Router, { path, version, named }: AssetFolder): void {
  router.get(`${path}/:version/:file`, (ctx) => {
    const asset = named(String(ctx['params'].file));
    if (!asset) return;
    ctx.type = asset.type;
    // A page from before an update requests old names: it gets the current files, uncached.
    const isCurrent = ctx['params'].version === version;
    ctx.set('Cache-Control', isCurrent ? 'public, max-age=31536000, immutable' : 'no-store');
    ctx.vary('Accept-Encoding');
    const isGzip = asset.gzipped !== null && ctx.acceptsEncodings('gzip', 'identity') === 'gzip';
    if (isGzip) ctx.set('Content-Encoding', 'gzip');
    ctx.body = isGzip ? asset.gzipped : asset.content;
  });
}
