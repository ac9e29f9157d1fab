import { newId } from '../../../../db/ids.ts';
import type { Fields, FormState } from '../../../../console/forms/form-state.ts';
import { valueOf } from '../../../../console/forms/form-state.ts';
import type { ServiceError } from '../../../../domain/errors.ts';
import { CreateClient } from '../../../clients/schema.ts';
import type { PageResult } from '../../declaration.ts';
import { bodyFrom } from '../../form-body.ts';
import type { BodyOf, ResultOf } from '../../operations.ts';
import { submitted } from '../../page.ts';
import { changed, withClient } from './changes.ts';
import { padded, rowsOf, withoutBlankLines, withRows } from './rows.ts';
import { type EditorRequest, shownEditor } from './show.ts';

type Quote = ResultOf<'getQuote'>;

interface Saving {
  /** Stores the quote and says where to go. */
  readonly save: (fields: Fields) => Promise<PageResult>;
  /** The quote that is revised, with its tag. */
  readonly revised?: { readonly quote: Quote; readonly tag: string | undefined };
}

const BUTTON = 'do';

/** Handles the form: one of its buttons changes what it shows, and the main one saves. */
export async function edited(request: EditorRequest, { save, revised }: Saving): Promise<PageResult> {
  const { form } = request;
  const action = valueOf(form, BUTTON);
  let fields: Fields = new Map([...form.fields].filter(([name]) => name !== BUTTON));
  const quote = revised?.quote;
  if (action !== '' && action !== 'client-create') {
    const change = await changed(request, fields, action);
    const rows = padded(rowsOf(change.fields));
    return shownEditor(request, { ...form, fields: withRows(change.fields, rows) }, { ...change, revised: quote });
  }
  let isClientRefused = false;
  return submitted(
    { form },
    {
      submit: async () => {
        if (valueOf({ fields }, 'clientId') === '' && (action === 'client-create' || hasNewClient(fields))) {
          isClientRefused = true;
          fields = withClient(fields, await createdClient(request, fields));
          isClientRefused = false;
        }
        if (action === 'client-create')
          return shownEditor(request, { ...form, fields }, { revised: quote, focus: 'clientId' });
        fields = withoutBlankLines(fields);
        return save(fields);
      },
      show: (refused, refusal) => {
        const errors = withTaxLists(refused.errors);
        const shown = { ...refused, errors, fields: withRows(fields, padded(rowsOf(fields))) };
        const state = isClientRefused ? withPrefix(shown) : shown;
        return shownEditor(request, revised ? onCurrent(state, refusal, revised) : state, { revised: quote });
      },
    },
  );
}

const hasNewClient = (fields: Fields): boolean =>
  [...fields].some(([name, values]) => name.startsWith('newClient.') && values.some((value) => value !== ''));

async function createdClient({ call }: EditorRequest, fields: Fields): Promise<string> {
  const own = [...fields].flatMap(([name, values]): [string, readonly string[]][] =>
    name.startsWith('newClient.') ? [[name.slice('newClient.'.length), values]] : [],
  );
  // Unchecked: the operation's own check follows.
  const body = bodyFrom(new Map(own), CreateClient, false) as unknown as BodyOf<'createClient'>;
  const key = valueOf({ fields }, 'clientKey');
  const { id } = await call('createClient', { body, ...(/^[\w-]{1,64}$/.test(key) && { key }) });
  return id;
}

/** A code that is refused is named at its list of boxes. */
const withTaxLists = (errors: FormState['errors']): FormState['errors'] =>
  new Map([...errors].map(([name, message]) => [name.replace(/(axes)\.\d+$/, '$1'), message]));

const withPrefix = (form: FormState): FormState => ({
  ...form,
  errors: new Map([...form.errors].map(([name, message]) => [`newClient.${name}`, message])),
});

const OUTDATED = 'La cotización cambió mientras usted la editaba: hay una versión más nueva.';
const CONFLICTS = new Set(['version_mismatch', 'quote_version_changed', 'idempotency_key_reused']);

/** After a conflict the next submission is based on the version that exists now. */
function onCurrent(
  form: FormState,
  { reason }: ServiceError,
  { quote, tag }: { readonly quote: Quote; readonly tag: string | undefined },
): FormState {
  if (!CONFLICTS.has(reason)) return form;
  return {
    ...form,
    key: newId(),
    tag,
    fields: new Map([...form.fields, ['version', [String(quote.version)]]]),
    refusal: OUTDATED,
    isOutdated: true,
  };
}
