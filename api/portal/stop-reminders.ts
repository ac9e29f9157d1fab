import type { Context } from 'koa';
import { stopReminders } from '../../db/writes/stop-reminders.ts';
import { displayNumber } from '../../domain/quote-number.ts';
import type { Locale } from '../../domain/locale.ts';
import type { StopView } from '../../portal/stop-page.ts';
import type { Deps } from '../deps.ts';
import { drawingFor } from './document.ts';
import { withPortalQuote } from './find.ts';
import { assertOwnOrigin, readForm } from './form.ts';
import { frame, queryOf } from './quote-view.ts';
import { themeOf } from './theme.ts';

const MAX_FORM_BYTES = 1024;

interface StopRequest {
  readonly token: string;
  readonly nonce: string;
  readonly chosen: Locale | undefined;
}

/** The page with the button; reading it changes nothing. */
export const stopView = (deps: Deps, { token, nonce, chosen }: StopRequest): Promise<StopView> =>
  withPortalQuote(deps, token, async (trx, { quote }) => {
    const { locale, branding, business } = await drawingFor(trx, quote, chosen);
    return {
      ...frame(nonce, locale),
      theme: themeOf(branding),
      path: `/p/${token}`,
      query: queryOf(chosen),
      label: displayNumber(quote),
      businessName: business.companyName,
      isStopped: quote.remindersStoppedAt !== null,
    };
  });

/**
 * Stops automatic mails. Mail programs post without an Origin (RFC 8058): the link is the permission, and stopping twice is
 * the same as once. Returns whether a mail program posted, which gets no redirect.
 */
export async function stopByForm(deps: Deps, ctx: Context, token: string): Promise<boolean> {
  const posted = await readForm(ctx, MAX_FORM_BYTES);
  const isOneClick = posted['List-Unsubscribe'] === 'One-Click';
  if (!isOneClick) assertOwnOrigin(ctx, deps.config.PUBLIC_URL);
  await withPortalQuote(deps, token, (trx, { quote }) => stopReminders(trx, quote.id, deps.now()), { lock: true });
  return isOneClick;
}
