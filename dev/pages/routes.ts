import type { Router } from '@koa/router';
import type { ApiConfig } from '../../adapters/config.ts';
import { BLANKS } from './bookmarks.ts';
import { showPage } from './frame.ts';
import { devPage } from './page.ts';

/** /dev lists the addresses of the stack. */
export function devRoutes(router: Router, config: Pick<ApiConfig, 'TEMPORAL_UI_URL' | 'TEMPORAL_NAMESPACE'>): void {
  const [uiUrl, namespace] = [config.TEMPORAL_UI_URL ?? null, config.TEMPORAL_NAMESPACE];
  router.get('/dev', (ctx) => {
    const given = BLANKS.map((name) => [name, ctx.query[name]] as const);
    const known = Object.fromEntries(given.flatMap(([name, text]) => (typeof text === 'string' ? [[name, text]] : [])));
    showPage(ctx, devPage({ uiUrl, namespace, known, now: new Date().toISOString() }));
  });
}
