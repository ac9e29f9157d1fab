import { fieldsOf, type FormState } from '../../../console/forms/form-state.ts';
import { linkPage } from '../../../console/quotes/link-page.ts';
import { type Preview, sharePage } from '../../../console/quotes/share-page.ts';
import type { ServiceError } from '../../../domain/errors.ts';
import { page } from '../declaration.ts';
import { newForm } from '../form.ts';
import { submitted } from '../page.ts';
import { paramsOf, quoteOf, type QuoteRequest } from './read.ts';

const PATH = '/app/quotes/:id';

interface Shown {
  readonly preview?: Preview;
  readonly rejected?: readonly string[];
}

async function showShare(request: QuoteRequest, form: FormState | undefined, shown: Shown = {}) {
  const quote = await quoteOf(request);
  const { contacts } = await request.call('getClient', { params: { id: quote.client.id } });
  const { contactName, email } = quote.client;
  const people = [{ name: contactName, email }, ...contacts];
  return sharePage({
    quote,
    reader: request.caller,
    form: form ?? newForm(fieldsOf(email === null ? {} : { to: [email] })),
    contacts: people.flatMap((person) => (person.email ? [{ name: person.name, address: person.email }] : [])),
    ...shown,
  });
}

/** A mail that is still on its way is joined by the same form, not sent again. */
const PENDING =
  'El envío sigue en curso. Espere unos segundos y vuelva a pulsar «Enviar cotización»: no se manda dos veces.';

const explained = (form: FormState, { reason }: ServiceError): FormState =>
  reason === 'share_pending' ? { ...form, refusal: PENDING } : form;

async function showLink(request: QuoteRequest, form: FormState, whatsappUrl?: string | null) {
  const [quote, { url }] = await Promise.all([
    quoteOf(request),
    request.call('getQuoteLink', { params: paramsOf(request) }),
  ]);
  return linkPage({ quote, reader: request.caller, url, form, ...(whatsappUrl !== undefined && { whatsappUrl }) });
}

/** Sending a quote by mail, and its link for other channels. */
export const quoteSharePages = [
  page({
    method: 'GET',
    path: `${PATH}/share`,
    access: 'quotes:read',
    handle: (request) => showShare(request, undefined),
  }),
  page({
    method: 'POST',
    path: `${PATH}/preview`,
    access: 'quotes:read',
    handle: (request) =>
      submitted(request, {
        submit: async () => {
          const { form, call } = request;
          const body = form.bodyFor('previewQuoteShare');
          const preview = await call('previewQuoteShare', { params: paramsOf(request), body });
          return showShare(request, form, { preview });
        },
        show: (form) => showShare(request, form),
      }),
  }),
  page({
    method: 'POST',
    path: `${PATH}/share`,
    access: 'quotes:read',
    handle: (request) =>
      submitted(request, {
        submit: async () => {
          const { form, call } = request;
          const body = form.bodyFor('shareQuote');
          const { rejected = [] } = await call('shareQuote', { params: paramsOf(request), body, key: form.key });
          if (rejected.length > 0) return showShare(request, undefined, { rejected });
          return { redirectTo: `/app/quotes/${paramsOf(request).id}?notice=quote_shared` };
        },
        show: (form, refusal) => {
          if (refusal.kind === 'email_unverified') throw refusal;
          return showShare(request, explained(form, refusal));
        },
      }),
  }),
  page({
    method: 'GET',
    path: `${PATH}/link`,
    access: 'quotes:read',
    feature: 'share_link',
    handle: (request) => showLink(request, newForm()),
  }),
  page({
    method: 'POST',
    path: `${PATH}/share-link`,
    access: 'quotes:read',
    feature: 'share_link',
    handle: (request) =>
      submitted(request, {
        submit: async () => {
          const { form, call } = request;
          const body = { channel: 'link' as const };
          const { whatsappUrl = null } = await call('shareQuote', { params: paramsOf(request), body, key: form.key });
          return showLink(request, newForm(), whatsappUrl);
        },
        show: (form, refusal) => {
          if (refusal.kind === 'email_unverified') throw refusal;
          return showLink(request, form);
        },
      }),
  }),
  page({
    method: 'POST',
    path: `${PATH}/rotate-link`,
    access: 'quotes:create',
    feature: 'share_link',
    handle: (request) =>
      submitted(request, {
        submit: async () => {
          const { form, call } = request;
          await call('rotateQuoteLink', { params: paramsOf(request), key: form.key });
          return { redirectTo: `/app/quotes/${paramsOf(request).id}/link?notice=quote_link_rotated` };
        },
        show: (form) => showLink(request, form),
      }),
  }),
];
