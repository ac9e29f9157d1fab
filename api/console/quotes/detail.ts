import type { QuoteForm } from '../../../console/quotes/detail-page.ts';
import { MAX_ATTACHMENTS } from '../../../domain/attachments.ts';
import { noFile, ServiceError } from '../../../domain/errors.ts';
import { fileTooLarge } from '../../../domain/request-refusals.ts';
import type { Permission } from '../../../domain/permissions.ts';
import { page, type Page, type PageRequest } from '../declaration.ts';
import { submitted } from '../page.ts';
import { detailOf, paramsOf, quoteOf } from './read.ts';

const PATH = '/app/quotes/:id';

/** The page of a quote and the forms on it. */
export const quoteDetailPages: readonly Page[] = [
  page({ method: 'GET', path: PATH, access: 'quotes:read', handle: (request) => detailOf(request) }),
  action('status', 'quotes:read_all', async (request) => {
    const { form, call } = request;
    const body = form.bodyFor('changeQuoteStatus');
    const isDone = async () => (await quoteOf(request)).status === body.status;
    await unlessDone(isDone, () => call('changeQuoteStatus', { params: paramsOf(request), body, tag: form.tag }));
    return 'quote_status_changed';
  }),
  action('validity', 'quotes:create', async (request) => {
    const { form, call } = request;
    const body = form.bodyFor('updateQuote');
    const isDone = async () => (await quoteOf(request)).validUntil === body.validUntil;
    await unlessDone(isDone, () => call('updateQuote', { params: paramsOf(request), body, tag: form.tag }));
    return 'quote_validity_changed';
  }),
  action('add-label', 'quotes:create', async (request) => {
    await request.call('addQuoteLabel', { params: labelParams(request), key: request.form.key });
    return 'quote_label_added';
  }),
  action('remove-label', 'quotes:create', async (request) => {
    await request.call('removeQuoteLabel', { params: labelParams(request) });
    return 'quote_label_removed';
  }),
  action('remove-attachment', 'quotes:create', async (request) => {
    const attachmentId = value(request, 'attachmentId');
    await request.call('deleteQuoteAttachment', { params: { ...paramsOf(request), attachmentId } });
    return 'quote_file_removed';
  }),
  page({
    method: 'POST',
    path: `${PATH}/upload`,
    access: 'quotes:create',
    upload: { field: 'file', maxBytes: MAX_ATTACHMENTS.fileBytes, missing: noFile, tooLarge: fileTooLarge },
    handle: (request) =>
      submitted(request, {
        submit: async () => {
          const { call, file, form } = request;
          await call('uploadQuoteAttachment', {
            params: paramsOf(request),
            // The types are of JSON bodies; this is the form that the page has read, as the route reads it.
            body: file as never,
            key: form.key,
          });
          return { redirectTo: `${addressOf(request)}?notice=quote_file_added` };
        },
        show: (form) => detailOf(request, { name: 'upload', form }),
      }),
  }),
  page({
    method: 'POST',
    path: `${PATH}/duplicate`,
    access: 'quotes:create',
    feature: 'quote_duplication',
    handle: (request) =>
      submitted(request, {
        submit: async () => {
          const { id } = await request.call('duplicateQuote', { params: paramsOf(request), key: request.form.key });
          return { redirectTo: `/app/quotes/${id}?notice=quote_duplicated` };
        },
        show: (form) => detailOf(request, { name: 'duplicate', form }),
      }),
  }),
];

type ActionRequest = PageRequest<'quotes:read'>;

const addressOf = (request: Pick<ActionRequest, 'params'>): string => `/app/quotes/${paramsOf(request).id}`;

/** A form of the page: it leads back with a notice, or shows the page with its refusal. */
function action(name: QuoteForm, access: Permission, run: (request: ActionRequest) => Promise<string>): Page {
  return page({
    method: 'POST',
    path: `${PATH}/${name}`,
    access,
    handle: (request) =>
      submitted(request, {
        submit: async () => ({ redirectTo: `${addressOf(request)}?notice=${await run(request)}` }),
        show: (form) => detailOf(request, { name, form }),
      }),
  });
}

const value = ({ form }: Pick<ActionRequest, 'form'>, name: string): string => form.fields.get(name)?.[0] ?? '';

const labelParams = (request: ActionRequest) => ({ ...paramsOf(request), labelId: value(request, 'labelId') });

/** A change without an Idempotency-Key: the second submission of a form finds what the first one did. */
async function unlessDone(isDone: () => Promise<boolean>, change: () => Promise<unknown>): Promise<void> {
  try {
    await change();
  } catch (thrown) {
    const isConflict =
      thrown instanceof ServiceError && (thrown.kind === 'version_mismatch' || thrown.kind === 'invalid_transition');
    if (!isConflict || !(await isDone())) throw thrown;
  }
}
