import type { Context } from 'koa';
import { type Detail, type ServiceError } from '../../domain/errors.ts';
import type { Locale } from '../../domain/locale.ts';
import { quotePage } from '../../portal/quote-page.ts';
import type { FormState, Notice } from '../../portal/view.ts';
import { withinDeadline } from '../deadline.ts';
import type { Deps } from '../deps.ts';
import { sourceOf } from '../endpoint.ts';
import { refusalOf, STATUS } from '../middleware/errors.ts';
import type { DecisionSource } from './actor.ts';
import { withPortalQuote } from './find.ts';
import { assertOwnOrigin, readForm, refusedForm, selectionIn, selectItemsOf } from './form.ts';
import { backTo, chosenLocale, newNonce, send } from './html-response.ts';
import { quoteView } from './quote-view.ts';
import { MAX_BYTES } from './schema.ts';
import { selectedQuote } from './selection.ts';

/** Handlers of the forms of the client's page, which work without JavaScript. */

type FormHandler = (
  token: string,
  posted: Readonly<Record<string, unknown>>,
  source: DecisionSource,
) => Promise<unknown>;

/** Handles a form and redirects to the page; a refused form is shown again with its values. */
export const formHandler =
  (deps: Deps, open: FormState['open'], handle: FormHandler) => async (ctx: Context, token: string) => {
    assertOwnOrigin(ctx, deps.config.PUBLIC_URL);
    const posted = await readForm(ctx, MAX_FORM_BYTES[open]);
    try {
      const source = { ...sourceOf(ctx), requestId: ctx.state.requestId };
      await withinDeadline(handle(token, posted, source));
    } catch (thrown) {
      return showRefusal(deps, ctx, { token, open, posted, thrown });
    }
    backTo(ctx, token);
  };

/** Shows the page with the amounts of the form's selection, and its other fields as they were sent. Writes nothing. */
export const totalsHandler = (deps: Deps) => async (ctx: Context, token: string) => {
  assertOwnOrigin(ctx, deps.config.PUBLIC_URL);
  const posted = await readForm(ctx, MAX_FORM_BYTES.accept);
  try {
    const body = selectItemsOf(posted);
    await withPortalQuote(deps, token, (_trx, found) => Promise.resolve(selectedQuote(found, body, deps.now())));
  } catch (thrown) {
    return showRefusal(deps, ctx, { token, open: 'accept', posted, thrown });
  }
  await showForm(deps, ctx, { token, open: 'accept', posted, status: 200, notice: null, details: [] });
};

interface PostedForm {
  readonly token: string;
  readonly open: FormState['open'];
  readonly posted: Readonly<Record<string, unknown>>;
}

/** Shows a refused form again. Throws refusals that have a page of their own. */
async function showRefusal(
  deps: Deps,
  ctx: Context,
  { thrown, ...form }: PostedForm & { readonly thrown: unknown },
): Promise<void> {
  const refusal = refusalOf(thrown);
  const notice = refusal && noticeFor(refusal);
  if (!refusal || !notice) throw thrown;
  if (notice === 'unavailable') deps.log.error({ err: thrown, requestId: ctx.state.requestId }, DECISION_FAILED);
  const { kind, details = [] } = refusal;
  await showForm(deps, ctx, { ...form, status: STATUS[kind], notice, details });
}

interface FormToShow extends PostedForm {
  readonly status: number;
  readonly notice: Notice | null;
  readonly details: readonly Detail[];
}

async function showForm(
  deps: Deps,
  ctx: Context,
  { token, open, posted, status, notice, details }: FormToShow,
): Promise<void> {
  const nonce = newNonce();
  const form = (locale: Locale) => refusedForm({ open, posted, details }, locale);
  const { selected, shown } = selectionIn(posted) ?? {};
  const selections = [selected, shown].filter((ids) => ids !== undefined);
  const { view } = await quoteView(deps, { token, nonce, chosen: chosenLocale(ctx), notice, form, selections });
  send(ctx, { status, nonce, html: quotePage(view) });
}

const MAX_FORM_BYTES = { accept: MAX_BYTES.acceptForm, reject: MAX_BYTES.reject, changes: MAX_BYTES.changes } as const;

const DECISION_FAILED = "a client's decision was not recorded";

/** The message for a refusal; undefined for refusals with a page of their own. */
function noticeFor(refusal: ServiceError): Notice | undefined {
  switch (refusal.reason) {
    case 'selection_not_allowed':
      return 'selection_refused';
    case 'invalid_input':
      return refusal.details?.some(({ path }) => path.startsWith('selectedItemIds')) ? 'selection_refused' : 'invalid';
    case 'signature_image_invalid':
      return 'invalid';
    case 'selection_changed':
      return 'selection_changed';
    case 'quote_version_changed':
      return 'version_changed';
    case 'quote_already_answered':
      return 'already_answered';
    case 'answer_period_over':
      return 'lapsed';
    case 'service_unavailable':
    case 'deadline_exceeded':
      return 'unavailable';
    default:
      return undefined;
  }
}
