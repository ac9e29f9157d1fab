import type { Router } from '@koa/router';
import type { Context } from 'koa';
import { selectionChanged, type ServiceError } from '../../domain/errors.ts';
import { DEFAULT_LOCALE, type Locale, LOCALES, localeNamed } from '../../domain/locale.ts';
import { textsOf } from '../../domain/texts/texts.ts';
import { ASSETS_VERSION, assetNamed } from '../../portal/assets.ts';
import { type Message, messagePage } from '../../portal/message-page.ts';
import { quotePage } from '../../portal/quote-page.ts';
import { stopPage } from '../../portal/stop-page.ts';
import { serveAssets } from '../assets.ts';
import type { Deps } from '../deps.ts';
import { refusalOf, STATUS } from '../middleware/errors.ts';
import { untilClosed } from '../until-closed.ts';
import { downloadForClient } from '../attachments/read.ts';
import { acceptQuote } from './accept.ts';
import { portalPdf } from './document.ts';
import { withPortalQuote } from './find.ts';
import { formHandler, totalsHandler } from './form-handlers.ts';
import { logoKeyOf } from './signed-look.ts';
import { acceptanceOf, changesOf, isSelectionShown, rejectionOf } from './form.ts';
import { backTo, chosenLocale, newNonce, send } from './html-response.ts';
import { frame, quoteView } from './quote-view.ts';
import { rejectQuote } from './reject.ts';
import { requestChanges } from './request-changes.ts';
import { stopByForm, stopView } from './stop-reminders.ts';
import { countView } from './views.ts';

/** The client's page of a quote with its document, logo and forms, and the page that stops reminders. */
export function portalPages(router: Router, deps: Deps): void {
  serveAssets(router, { path: '/p/assets', version: ASSETS_VERSION, named: assetNamed });

  const page = (work: (ctx: Context, token: string) => Promise<void>) => async (ctx: Context) => {
    // The template, because the path contains the token.
    ctx.state.route = '/p/:token';
    await renderPage(deps, ctx, () => work(ctx, String(ctx['params'].token)));
  };
  router.get(
    '/p/:token',
    page(async (ctx, token) => {
      const nonce = newNonce();
      const { view, ...ids } = await quoteView(deps, { token, nonce, chosen: chosenLocale(ctx) });
      await countView(deps, ctx, { ...ids, path: view.path });
      send(ctx, { status: 200, nonce, html: quotePage(view) });
    }),
  );
  router.get(
    '/p/:token/pdf',
    page(async (ctx, token) => {
      const { headers = {}, body } = await portalPdf(deps, {
        token,
        locale: chosenLocale(ctx),
        signal: untilClosed(ctx),
      });
      ctx.set(headers);
      ctx.body = body;
    }),
  );
  router.get(
    '/p/:token/attachments/:attachmentId',
    page(async (ctx, token) => {
      const attachmentId = String(ctx['params'].attachmentId);
      const { headers = {}, body } = await downloadForClient(deps, { token, attachmentId });
      ctx.set(headers);
      ctx.body = body;
    }),
  );
  router.get('/p/:token/logo', page(sendLogo(deps)));
  // The URL of a form that was reloaded or copied.
  router.get('/p/:token/accept', page(backToPage));
  router.get('/p/:token/reject', page(backToPage));
  router.get('/p/:token/totals', page(backToPage));
  router.get('/p/:token/request-changes', page(backToPage));
  router.post(
    '/p/:token/accept',
    page(
      formHandler(deps, 'accept', async (token, posted, source) => {
        const body = acceptanceOf(posted);
        if (!isSelectionShown(posted)) throw selectionChanged();
        await acceptQuote(deps, { token, body, source });
      }),
    ),
  );
  router.post('/p/:token/totals', page(totalsHandler(deps)));
  router.post(
    '/p/:token/reject',
    page(
      formHandler(deps, 'reject', (token, posted, source) =>
        rejectQuote(deps, { token, body: rejectionOf(posted), source }),
      ),
    ),
  );
  router.post(
    '/p/:token/request-changes',
    page(
      formHandler(deps, 'changes', (token, posted, source) =>
        requestChanges(deps, { token, body: changesOf(posted), source }),
      ),
    ),
  );
  const showStopPage = async (ctx: Context, token: string) => {
    const nonce = newNonce();
    send(ctx, {
      status: 200,
      nonce,
      html: stopPage(await stopView(deps, { token, nonce, chosen: chosenLocale(ctx) })),
    });
  };
  router.get('/p/:token/stop-reminders', page(showStopPage));
  router.post(
    '/p/:token/stop-reminders',
    page(async (ctx, token) => {
      if (await stopByForm(deps, ctx, token)) await showStopPage(ctx, token);
      else backTo(ctx, token, '/stop-reminders');
    }),
  );
}

/** Serves the logo from our own origin. */
const sendLogo = (deps: Deps) => async (ctx: Context, token: string) => {
  const logoKey = await withPortalQuote(deps, token, (_trx, found) => Promise.resolve(logoKeyOf(found)));
  if (logoKey === null) return;
  const logo = await deps.storage.get(logoKey);
  ctx.type = 'image/png';
  ctx.set('Cache-Control', 'private, max-age=3600');
  ctx.body = logo;
};

/** The language of a page without a quote: the chosen one, else the browser's, else Spanish. */
const localeWithoutQuote = (ctx: Context): Locale =>
  chosenLocale(ctx) ?? localeNamed(ctx.acceptsLanguages([...LOCALES])) ?? DEFAULT_LOCALE;

function messageOf(refusal: ServiceError | undefined, locale: Locale): Message {
  const { notFound, busy, foreignOrigin, tooLarge, invalid, unavailable } = textsOf(locale).page.messages;
  switch (refusal?.kind) {
    case 'not_found':
      return notFound;
    case 'rate_limited':
      return busy;
    case 'forbidden':
      return foreignOrigin;
    case 'too_large':
      return tooLarge;
    case 'invalid':
      return invalid;
    default:
      return unavailable;
  }
}

/** Applies rate limits, runs the work and renders refusals as pages. */
async function renderPage(deps: Deps, ctx: Context, work: () => Promise<void>): Promise<void> {
  try {
    await deps.rateLimits.count('public', { caller: undefined, ip: ctx.ip });
    await work();
  } catch (thrown) {
    const refusal = refusalOf(thrown);
    const status = refusal ? STATUS[refusal.kind] : 500;
    if (status >= 500) deps.log.error({ err: thrown, requestId: ctx.state.requestId }, 'a page failed');
    const locale = localeWithoutQuote(ctx);
    const nonce = newNonce();
    if (refusal?.retryAfterSeconds !== undefined) ctx.set('Retry-After', String(refusal.retryAfterSeconds));
    send(ctx, { status, nonce, html: messagePage(frame(nonce, locale), messageOf(refusal, locale)) });
  }
}
const backToPage = (ctx: Context, token: string): Promise<void> => Promise.resolve(backTo(ctx, token));
