import { createHmac } from 'node:crypto';
import type { Context } from 'koa';
import { countQuoteView } from '../../db/writes/count-quote-view.ts';
import { ServiceError } from '../../domain/errors.ts';
import { authenticate } from '../authenticate.ts';
import { cookieValues, setCookie } from '../cookies.ts';
import type { Deps } from '../deps.ts';
import { sourceOf } from '../endpoint.ts';
import { networkOf } from '../network-of.ts';

/** Programs that open links automatically: search engines, chat previews, mail scanners, monitors. */
const BOT = new RegExp(
  [
        // Cubot is a manufacturer of phones.
    '(?<!cu)bot\\b', 'crawl', 'spider', 'slurp', 'preview', 'facebookexternalhit', 'facebookcatalog', 'whatsapp',
    'embedly', 'mediapartners', 'imageproxy', 'mailproxy', 'feedfetcher', 'google-safety', 'google-read-aloud',
    'barracuda', 'mimecast', 'proofpoint', 'safelinks', 'symantec', 'trendmicro', 'virustotal', 'urlscan',
    'lighthouse', 'pingdom', 'uptime', 'statuscake',
  ].join('|'),
  'i',
); // prettier-ignore

const COOKIE = 'quoting.view';

/**
 * Counts a view of the page: once per browser session, and once per hour, address and quote. HEAD requests, prefetches,
 * known bots and members of the business do not count. A failure to count must not break the page.
 */
export async function countView(
  deps: Deps,
  ctx: Context,
  { tenantId, quoteId, path }: { tenantId: string; quoteId: string; path: string },
): Promise<void> {
  try {
    if (ctx.method !== 'GET' || isAutomatic(ctx) || cookieValues(ctx.headers.cookie, COOKIE).length > 0) return;
    const requestId = ctx.state.requestId;
    if (await isMember(deps, ctx, { tenantId, requestId })) return;
    const viewer = viewerOf(deps.config.SESSION_SECRETS, ctx.ip);
    const isCounted = await deps.withTenant(tenantId, (trx) =>
      countQuoteView(trx, { tenantId, quoteId, viewer, requestId }),
    );
    if (!isCounted) return;
    // The path separates the cookies of different quotes.
    setCookie(ctx, deps.config, { name: COOKIE, value: '1', path });
  } catch (err) {
    deps.log.warn({ err }, 'a view was not counted');
  }
}

/** A keyed hash of an address, so that stored views reveal no addresses. */
const viewerOf = (secret: string, ip: string): string =>
  createHmac('sha256', secret)
    .update(`quote view ${networkOf(ip)}`)
    .digest('base64url');

const isAutomatic = (ctx: Context): boolean =>
  BOT.test(ctx.get('User-Agent')) || /prefetch|prerender/.test(`${ctx.get('Sec-Purpose')} ${ctx.get('Purpose')}`);

async function isMember(
  deps: Deps,
  ctx: Context,
  { tenantId, requestId }: { tenantId: string; requestId: string },
): Promise<boolean> {
  if (cookieValues(ctx.headers.cookie, deps.cookies.name).length === 0) return false;
  const { cookie } = ctx.headers;
  try {
    const caller = await authenticate(deps, { headers: { cookie }, ...sourceOf(ctx), requestId, credentials: 'any' });
    return caller.tenantId === tenantId;
  } catch (error) {
    if (error instanceof ServiceError) return false;
    throw error;
  }
}
