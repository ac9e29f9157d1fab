import { newId } from '../../../../db/ids.ts';
import { CURRENCIES } from '../../../../console/currencies.ts';
import { type FormState, rowCount, valueOf } from '../../../../console/forms/form-state.ts';
import { editorPage } from '../../../../console/quotes/editor/page.ts';
import { LINES_ON_PAGE } from '../../../../console/quotes/editor/view.ts';
import { hasFeature } from '../../../../domain/plans.ts';
import type { PageRequest } from '../../declaration.ts';
import type { ResultOf } from '../../operations.ts';
import type { Changed } from './changes.ts';
import { chosenClient, searchClients } from './search.ts';
import { totalsView } from './totals.ts';

export type EditorRequest = Pick<
  PageRequest<'quotes:create'>,
  'call' | 'callWithTag' | 'callForResult' | 'caller' | 'form'
>;
type Quote = ResultOf<'getQuote'>;

export const NEW_PATH = '/app/quotes/new';
export const revisePath = (id: string): string => `/app/quotes/${id}/revise`;

/** The page of the form. Outdated and wrong lines decide which page of lines is shown. */
export async function shownEditor(
  request: EditorRequest,
  form: FormState,
  { revised, ...change }: Omit<Changed, 'fields'> & { readonly revised: Quote | undefined },
) {
  const { caller } = request;
  const id = valueOf(form, 'clientId');
  const [client, totals, taxes] = await Promise.all([
    chosenClient(request, id),
    totalsView(request, form.fields, revised?.id),
    request.call('listTaxes'),
  ]);
  const clients = client
    ? undefined
    : (change.clients ?? (await searchClients(request, valueOf(form, 'clientSearch'))));
  const count = rowCount(form, 'items');
  const pages = Math.max(1, Math.ceil(count / LINES_ON_PAGE));
  const wanted = pageOfErrors(form) ?? change.page ?? Number(valueOf(form, 'page') || 1);
  const page = Number.isInteger(wanted) ? Math.min(Math.max(wanted, 1), pages) : 1;
  return editorPage({
    form: withClientKey(form),
    action: revised ? revisePath(revised.id) : NEW_PATH,
    revised: revised && { id: revised.id, displayNumber: revised.displayNumber, version: revised.version },
    client,
    clients,
    lines: {
      count,
      from: (page - 1) * LINES_ON_PAGE,
      until: Math.min(page * LINES_ON_PAGE, count),
      page,
      pages,
      catalogue: change.catalogue,
      focus: change.focus,
      priceHint: change.priceHint,
    },
    totals,
    taxes,
    currencies: hasFeature(caller.plan, 'multi_currency') ? CURRENCIES : undefined,
    attachments: revised?.attachments ?? [],
  });
}

/** Makes a second press of «Crear y elegir» create one client. */
const withClientKey = (form: FormState): FormState =>
  valueOf(form, 'clientKey') === '' ? { ...form, fields: new Map([...form.fields, ['clientKey', [newId()]]]) } : form;

/** The page of the first line with an error. */
function pageOfErrors({ errors }: FormState): number | undefined {
  const rows = [...errors.keys()].flatMap((name) => /^items\.(\d+)\./.exec(name)?.[1] ?? []);
  return rows.length === 0 ? undefined : Math.floor(Math.min(...rows.map(Number)) / LINES_ON_PAGE) + 1;
}
