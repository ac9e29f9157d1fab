import type { Router } from '@koa/router';
import type { Context } from 'koa';
import { routeNotFound } from '../../domain/errors.ts';
import { serveAssets } from '../assets.ts';
import type { Deps } from '../deps.ts';
import type { Route } from '../route.ts';
import { linkedPages } from './account/links.ts';
import { accountPages } from './account/overview.ts';
import { registerPages } from './account/register.ts';
import { signInPages } from './account/sign-in.ts';
import { twoFactorPages } from './account/two-factor.ts';
import { apiKeyPages } from './api-keys/pages.ts';
import { auditLogPages } from './audit-log/pages.ts';
import { CONSOLE_ASSETS } from './assets.ts';
import { automationPages } from './automations/pages.ts';
import { createOperations } from './call.ts';
import { newClientPages } from './clients/new.ts';
import { clientPages } from './clients/pages.ts';
import type { Page } from './declaration.ts';
import { ownPaths, type OwnPaths } from './guards.ts';
import { importPages } from './imports/pages.ts';
import { dashboardPages } from './dashboard/overview.ts';
import { notificationPages } from './notifications/pages.ts';
import { servePage } from './page.ts';
import { productPages } from './products/pages.ts';
import { quoteDetailPages } from './quotes/detail.ts';
import { quoteFilePages } from './quotes/files.ts';
import { quoteHistoryPages } from './quotes/history.ts';
import { quoteEditorPages } from './quotes/editor/pages.ts';
import { quoteListPages } from './quotes/list.ts';
import { quoteMessagePages } from './quotes/messages.ts';
import { quoteSharePages } from './quotes/share.ts';
import { boardPages } from './pipeline/board.ts';
import { settingsPages } from './settings/pages.ts';
import { startPages } from './start.ts';
import { teamPages } from './team/pages.ts';
import { templatePages } from './templates/pages.ts';
import { webhookPages } from './webhooks/pages.ts';

/** Every page and form of the console. */
export function consolePages(deps: Deps): readonly Page[] {
  const paths = (): OwnPaths => ownPaths(pages.filter(({ access }) => access !== 'public'));
  const pages: readonly Page[] = [
    ...signInPages(deps, paths),
    ...registerPages(deps),
    ...linkedPages,
    ...startPages,
    // Before pages of /app/quotes/:id, which would match `new` as an id.
    ...quoteEditorPages,
    ...quoteListPages,
    ...newClientPages,
    ...clientPages,
    ...productPages,
    ...importPages,
    ...templatePages,
    ...teamPages,
    ...notificationPages,
    ...auditLogPages,
    ...automationPages,
    ...webhookPages,
    ...apiKeyPages(deps),
    ...settingsPages(deps),
    ...boardPages(deps),
    ...dashboardPages,
    ...accountPages,
    ...twoFactorPages,
    ...quoteMessagePages,
    ...quoteHistoryPages,
    ...quoteSharePages,
    ...quoteFilePages,
    // After the pages of the list, whose names it would match as an id.
    ...quoteDetailPages,
  ];
  return pages;
}

/** The console for the people of a business: its pages, their forms and files. */
export function consoleRoutes(router: Router, deps: Deps, routes: readonly Route[]): void {
  serveAssets(router, CONSOLE_ASSETS);
  const pages = consolePages(deps);
  const operations = createOperations(deps, routes);
  const paths = ownPaths(pages.filter(({ access }) => access !== 'public'));
  for (const page of pages) servePage(router, { deps, operations, paths }, page);
  for (const { path } of formsWithoutPage(pages)) router.get(path, backToPage);
  servePage(router, { deps, operations, paths }, NO_PAGE);
}

/** Forms whose address shows no page: somebody reloads or copies it after a refusal. */
const formsWithoutPage = (pages: readonly Page[]): readonly Page[] => {
  const shown = new Set(pages.filter(({ method }) => method === 'GET').map(({ path }) => path));
  return pages.filter(({ method, path }) => method === 'POST' && !shown.has(path));
};

/** `/app/quotes/1/send` leads to `/app/quotes/1`, `/logout` to the start. */
function backToPage(ctx: Context): void {
  const parent = ctx.path.slice(0, ctx.path.lastIndexOf('/'));
  ctx.status = 303;
  ctx.set({ Location: parent === '' ? '/app' : parent, 'Cache-Control': 'no-store' });
  ctx.body = '';
}

/** Any other address of the console. */
const NO_PAGE: Page = {
  method: 'GET',
  path: '/app/*path',
  access: 'authenticated',
  handle: () => {
    throw routeNotFound();
  },
};
