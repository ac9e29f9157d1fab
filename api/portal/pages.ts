import { randomBytes } from 'node:crypto';
import type { Router } from '@koa/router';
import type { Context } from 'koa';
import { type ServiceError, versionChanged } from '../../domain/errors.ts';
import { DEFAULT_LOCALE, type Locale, LOCALES, localeNamed } from '../../domain/locale.ts';
import { textsOf } from '../../domain/texts/texts.ts';
import { ASSETS_VERSION, assetNamed } from '../../portal/assets.ts';
import { type Message, messagePage } from '../../portal/message-page.ts';
import { quotePage } from '../../portal/quote-page.ts';
import type { FormState, Notice } from '../../portal/view.ts';
import { withinDeadline } from '../deadline.ts';
import type { Deps } from '../deps.ts';
import { sourceOf } from '../endpoint.ts';
import { refusalOf, STATUS } from '../middleware/errors.ts';
import { untilClosed } from '../until-closed.ts';
import { acceptQuote } from './accept.ts';
import type { AnswerSource } from './actor.ts';
import { portalPdf } from './document.ts';
import { withPortalQuote } from './find.ts';
import { shownLogoKey } from './look.ts';
import { acceptanceOf, assertOwnOrigin, formAgain, readForm, rejectionOf } from './form.ts';
import { frame, queryOf, quoteView } from './quote-view.ts';
import { rejectQuote } from './reject.ts';
import { MAX_BYTES } from './schema.ts';
import { countView } from './views.ts';

/** The page of a quote's client, its document and logo, and the two forms (decisions, section 5). */
export function portalPages(router: Router, deps: Deps): void {
  router.get('/p/assets/:version/:file', (ctx) => {
    const { version, file } = ctx['params'];
    const asset = assetNamed(String(file));
    if (!asset) return;
    ctx.type = asset.type;
    // A page of before an update asks for files that are gone; it gets the new ones, which nobody may keep as the old.
    ctx.set('Cache-Control', version === ASSETS_VERSION ? 'public, max-age=31536000, immutable' : 'no-store');
    ctx.body = asset.content;
  });

  const page = (work: (ctx: Context, token: string) => Promise<void>) => async (ctx: Context) => {
    // The template, never the address: it holds the token.
    ctx.state['route'] = '/p/:token';
    await asPage(deps, ctx, () => work(ctx, String(ctx['params'].token)));
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
  router.get('/p/:token/logo', page(sendLogo(deps)));
  // A form's address that was reloaded or copied.
  router.get('/p/:token/accept', page(backToPage));
  router.get('/p/:token/reject', page(backToPage));
  router.post(
    '/p/:token/accept',
    page(
      answered(deps, 'accept', (token, posted, source) =>
        acceptQuote(deps, { token, body: acceptanceOf(posted), source }),
      ),
    ),
  );
  router.post(
    '/p/:token/reject',
    page(
      answered(deps, 'reject', (token, posted, source) =>
        rejectQuote(deps, { token, body: rejectionOf(posted), source }),
      ),
    ),
  );
}

type Answering = (token: string, posted: Readonly<Record<string, unknown>>, source: AnswerSource) => Promise<unknown>;

/** Takes a form and sends the client back to the page; a refused one is shown again with what was written in it. */
const answered = (deps: Deps, open: FormState['open'], answer: Answering) => async (ctx: Context, token: string) => {
  assertOwnOrigin(ctx, deps.config.PUBLIC_URL);
  const posted = await readForm(ctx, MAX_FORM_BYTES[open]);
  try {
    const source = { ...sourceOf(ctx), requestId: String(ctx.state['requestId']) };
    await withinDeadline(answer(token, posted, source));
  } catch (thrown) {
    const refusal = refusalOf(thrown);
    const notice = refusal && noticeOf(refusal);
    if (!refusal || !notice) throw thrown;
    if (notice === 'unavailable') deps.log.error({ err: thrown, requestId: ctx.state['requestId'] as string }, FAILED);
    const nonce = newNonce();
    const form = (locale: Locale) => formAgain({ open, posted, details: refusal.details }, locale);
    const { view } = await quoteView(deps, { token, nonce, chosen: chosenLocale(ctx), notice, form });
    return send(ctx, { status: STATUS[refusal.kind], nonce, html: quotePage(view) });
  }
  backTo(ctx, token);
};

const MAX_FORM_BYTES = { accept: MAX_BYTES.acceptForm, reject: MAX_BYTES.reject } as const;

const FAILED = 'an answer of a client was not recorded';

/** What the page says of a refusal; undefined for those that have a page of their own. */
function noticeOf(refusal: ServiceError): Notice | undefined {
  switch (refusal.kind) {
    case 'invalid':
      return 'invalid';
    case 'conflict':
      return refusal.message === versionChanged().message ? 'version_changed' : 'already_answered';
    case 'gone':
      return 'lapsed';
    case 'unavailable':
      return 'unavailable';
    default:
      return undefined;
  }
}

/** The logo, from our own origin. */
const sendLogo = (deps: Deps) => async (ctx: Context, token: string) => {
  const logoKey = await withPortalQuote(deps, token, (_trx, found) => Promise.resolve(shownLogoKey(found)));
  if (logoKey === null) return;
  const logo = await deps.storage.get(logoKey);
  ctx.type = 'image/png';
  ctx.set('Cache-Control', 'private, max-age=3600');
  ctx.body = logo;
};

const backToPage = (ctx: Context, token: string): Promise<void> => Promise.resolve(backTo(ctx, token));

function backTo(ctx: Context, token: string): void {
  ctx.status = 303;
  const path = `/p/${encodeURIComponent(token)}`;
  ctx.set({ Location: `${path}${queryOf(chosenLocale(ctx))}`, 'Cache-Control': 'no-store' });
  ctx.body = '';
}

/** The language that the client chose on the page; other values are ignored. */
const chosenLocale = (ctx: Context): Locale | undefined => localeNamed(ctx.query['lang']);

/** Of a page without a quote: the one that was chosen, else the browser's, else Spanish. */
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

/** Counts the request, runs the work, and says as a page what went wrong. */
async function asPage(deps: Deps, ctx: Context, work: () => Promise<void>): Promise<void> {
  try {
    await deps.rateLimits.count('public', { caller: undefined, ip: ctx.ip });
    await work();
  } catch (thrown) {
    const refusal = refusalOf(thrown);
    const status = refusal ? STATUS[refusal.kind] : 500;
    if (status >= 500) deps.log.error({ err: thrown, requestId: ctx.state['requestId'] as string }, 'a page failed');
    const locale = localeWithoutQuote(ctx);
    const nonce = newNonce();
    if (refusal?.retryAfterSeconds !== undefined) ctx.set('Retry-After', String(refusal.retryAfterSeconds));
    send(ctx, { status, nonce, html: messagePage(frame(nonce, locale), messageOf(refusal, locale)) });
  }
}

const newNonce = (): string => randomBytes(16).toString('base64');

/** What is ours and nothing else; the one style element is named by its nonce. */
const policy = (nonce: string): string =>
  [
    "default-src 'none'",
    "script-src 'self'",
    `style-src 'self' 'nonce-${nonce}'`,
    "img-src 'self' data:",
    // The page's script sends the forms itself, so that nothing is lost with the connection.
    "connect-src 'self'",
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join('; ');

function send(ctx: Context, { status, nonce, html }: { status: number; nonce: string; html: string }): void {
  ctx.status = status;
  ctx.set({
    'Content-Security-Policy': policy(nonce),
    // The address holds the token. Not `no-referrer`: under it browsers post the forms with `Origin: null`.
    'Referrer-Policy': 'same-origin',
    'X-Robots-Tag': 'noindex, nofollow',
    'Cache-Control': 'no-store',
  });
  ctx.type = 'text/html; charset=utf-8';
  ctx.body = html;
}
