import type { Quote } from '../../db/models/quote.ts';
import type { FullQuote } from '../../db/reads/full-quote.ts';
import { ServiceError } from '../../domain/errors.ts';
import { hasOptions, selectedIdsOf } from '../../domain/quote-selection.ts';
import { lastChangeRequest } from '../../db/reads/messages.ts';
import type { TenantTransaction } from '../../db/with-tenant.ts';
import { consentText, hasLapsed } from '../../domain/portal.ts';
import type { Locale } from '../../domain/locale.ts';
import { assertNever } from '../../domain/assert-never.ts';
import { assetUrl } from '../../portal/assets.ts';
import type { FormState, Frame, Notice, Options, PageState, QuoteView } from '../../portal/view.ts';
import type { Deps } from '../deps.ts';
import { drawingFor } from './document.ts';
import { withPortalQuote } from './find.ts';
import { EMPTY_FORM } from './form.ts';
import { withSelection } from './selection.ts';
import { withSignedLook } from './signed-look.ts';
import { logoPath } from './present.ts';
import { themeOf } from './theme.ts';

/** Data of every page; `nonce` differs for each response. */
export const frame = (nonce: string, locale: Locale): Frame => ({
  locale,
  nonce,
  theme: themeOf(null),
  stylesheet: assetUrl('portal.css'),
  script: assetUrl('portal.js'),
});

export interface QuoteViewResult {
  readonly tenantId: string;
  readonly quoteId: string;
  readonly view: QuoteView;
}

interface QuoteViewRequest {
  readonly token: string;
  readonly nonce: string;
  /** The language that the client chose on the page. */
  readonly chosen: Locale | undefined;
  readonly notice?: Notice | null;
  /** A refused form, in the language of the page. */
  readonly form?: (locale: Locale) => FormState;
  /** Selections of the client; the first that is allowed is shown, else the seller's preset. */
  readonly selections?: readonly (readonly string[])[];
}

/** The data of the page of a token. Throws a 404. */
export async function quoteView(
  deps: Deps,
  { token, nonce, chosen, notice = null, form, selections = [] }: QuoteViewRequest,
): Promise<QuoteViewResult> {
  return withPortalQuote(deps, token, async (trx, found) => {
    const now = deps.now();
    const state = stateOf(found.quote, now);
    const quote = state === 'open' ? firstAllowed(found.quote, selections) : found.quote;
    const drawing = withSignedLook(await drawingFor(trx, quote, chosen), found);
    const { locale } = drawing;
    return {
      tenantId: quote.tenantId,
      quoteId: quote.id,
      view: {
        ...frame(nonce, locale),
        theme: themeOf(drawing.branding),
        path: `/p/${token}`,
        query: queryOf(chosen),
        logoUrl: logoPath(token, drawing.branding?.logoKey ?? null),
        state,
        drawing,
        options: state === 'open' ? optionsOf(quote) : null,
        attachments: quote.attachments,
        consentText: consentText(drawing),
        // docs/security.md, "The signer's address on a client's page".
        signerEmail: quote.linkWithheld ? null : drawing.client.email,
        answeredAt: quote.answeredAt?.toISOString() ?? null,
        rejectionReason: quote.rejectionReason,
        changeRequest: await changeRequestOf(trx, quote),
        notice,
        form: form ? form(locale) : EMPTY_FORM,
        now,
      },
    };
  });
}

function firstAllowed(quote: FullQuote, selections: readonly (readonly string[])[]): FullQuote {
  for (const ids of selections) {
    try {
      return withSelection(quote, ids);
    } catch (error) {
      if (!(error instanceof ServiceError)) throw error;
    }
  }
  return quote;
}

const optionsOf = ({ items }: FullQuote): Options | null =>
  hasOptions(items) ? { ids: items.map(({ id }) => id), shown: selectedIdsOf(items).join(',') } : null;

async function changeRequestOf(trx: TenantTransaction, { id: quoteId, version }: Quote) {
  const request = await lastChangeRequest(trx, { quoteId, version });
  return request ? { at: request.createdAt.toISOString(), message: request.body } : null;
}

/** The query string that keeps the chosen language in links and forms. */
export const queryOf = (chosen: Locale | undefined): string => (chosen ? `?lang=${chosen}` : '');

function stateOf(quote: Quote, now: Date): PageState {
  switch (quote.status) {
    case 'GENERATED':
    case 'SENT':
      return hasLapsed(quote, now) ? 'expired' : 'open';
    case 'ACCEPTED':
      return 'accepted';
    case 'REJECTED':
      return 'rejected';
    case 'WON':
    case 'LOST':
      return 'closed';
    default:
      return assertNever(quote.status);
  }
}
