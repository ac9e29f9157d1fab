import type { QuoteForm } from '../../../console/quotes/detail-page.ts';
import { quoteDetailPage } from '../../../console/quotes/detail-page.ts';
import { fieldsOf, type FormState } from '../../../console/forms/form-state.ts';
import type { PageRequest } from '../declaration.ts';
import { newForm } from '../form.ts';

/** Requests of pages below `/app/quotes/:id`. */
export type QuoteRequest = Pick<PageRequest<'quotes:read'>, 'call' | 'callWithTag' | 'caller' | 'params' | 'query'>;

const MESSAGES_SHOWN = 3;
const CHANGES_SHOWN = 6;

export const paramsOf = ({ params }: Pick<QuoteRequest, 'params'>): { readonly id: string } => ({
  id: params['id'] ?? '',
});

export const quoteOf = (request: QuoteRequest) => request.call('getQuote', { params: paramsOf(request) });

/** A number from 1 in the query. */
export function pageNumber(text: string | undefined): number {
  return text !== undefined && /^[1-9]\d{0,5}$/.test(text) ? Number(text) : 1;
}

/** The page of a quote, with a form that was refused. */
export async function detailOf(
  request: QuoteRequest,
  refused?: { readonly name: QuoteForm; readonly form: FormState },
) {
  const { call, callWithTag, caller, query } = request;
  const params = paramsOf(request);
  const { body: quote, tag } = await callWithTag('getQuote', { params });
  const [labels, messages, changes, signed] = await Promise.all([
    call('listLabels'),
    call('listQuoteMessages', { params, query: { limit: MESSAGES_SHOWN } }),
    call('listQuoteHistory', { params, query: { limit: CHANGES_SHOWN } }),
    quote.status === 'ACCEPTED' ? call('getQuoteSignature', { params }) : undefined,
  ]);
  const unsent = newForm(fieldsOf({ validUntil: quote.validUntil }), tag);
  return quoteDetailPage({
    quote,
    reader: caller,
    signature: signed?.signature ?? null,
    labels,
    messages: messages.data,
    changes: changes.data,
    linesPage: pageNumber(query['lines']),
    formOf: (name) => (refused?.name === name ? withTag(refused.form, tag) : unsent),
    ...(refused && { refused: refused.name }),
  });
}

/** The user has seen the current record beside the refusal, so that saving again is meant for it. */
const withTag = (form: FormState, tag: string | undefined): FormState => ({ ...form, tag });
