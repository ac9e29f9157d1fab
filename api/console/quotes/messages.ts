import type { FormState } from '../../../console/forms/form-state.ts';
import { messagesPage } from '../../../console/quotes/messages.ts';
import { page } from '../declaration.ts';
import { newForm } from '../form.ts';
import { submitted } from '../page.ts';
import { pageNumber, paramsOf, quoteOf, type QuoteRequest } from './read.ts';

const PATH = '/app/quotes/:id/messages';

async function show(request: QuoteRequest, form: FormState) {
  const page = pageNumber(request.query['page']);
  const [quote, { data, totalPages }] = await Promise.all([
    quoteOf(request),
    request.call('listQuoteMessages', { params: paramsOf(request), query: { page } }),
  ]);
  return messagesPage({ quote, reader: request.caller, messages: data, page, totalPages, form });
}

export const quoteMessagePages = [
  page({ method: 'GET', path: PATH, access: 'quotes:read', handle: (request) => show(request, newForm()) }),
  page({
    method: 'POST',
    path: PATH,
    access: 'quotes:create',
    handle: (request) =>
      submitted(request, {
        submit: async () => {
          const { form, call, path } = request;
          await call('sendQuoteMessage', {
            params: paramsOf(request),
            body: form.bodyFor('sendQuoteMessage'),
            key: form.key,
          });
          return { redirectTo: `${path}?notice=quote_message_sent` };
        },
        show: (form, refusal) => {
          if (refusal.kind === 'email_unverified') throw refusal;
          return show(request, form);
        },
      }),
  }),
];
