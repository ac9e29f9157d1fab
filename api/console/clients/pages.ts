import { clientDetailPage } from '../../../console/clients/detail-page.ts';
import { clientFormPage } from '../../../console/clients/form-page.ts';
import { clientListPage } from '../../../console/clients/list-page.ts';
import { CLIENTS_PATH, clientName } from '../../../console/clients/view.ts';
import { fieldsOf, type FormState, valueOf } from '../../../console/forms/form-state.ts';
import { can } from '../../../domain/permissions.ts';
import { type Page, page, type PageRequest, type ShownPage } from '../declaration.ts';
import { newForm } from '../form.ts';
import { activeIn } from '../active-filter.ts';
import { idOf } from '../id-of.ts';
import { submitted } from '../page.ts';
import { pick } from '../pick.ts';

const ONE = `${CLIENTS_PATH}/:id`;
const MAX_QUOTES = 10;

type Request = Pick<PageRequest<'clients:read'>, 'call' | 'callWithTag' | 'caller' | 'params'>;

/** The page of a client, with the refusal of one of its buttons. */
async function showClient(request: Request, form?: FormState): Promise<ShownPage> {
  const { call, callWithTag, caller } = request;
  const params = idOf(request);
  const { body: client, tag } = await callWithTag('getClient', { params });
  const { data, total } = await call('listQuotes', { query: { clientId: params.id, limit: MAX_QUOTES } });
  return clientDetailPage({
    client,
    quotes: data,
    quoteCount: total ?? data.length,
    form: form ? { ...form, tag } : newForm(new Map(), tag),
    canUpdate: can(caller.role, 'clients:update'),
    canDelete: can(caller.role, 'clients:delete'),
    timeZone: caller.timeZone,
  });
}

async function showForm({ callWithTag, ...request }: Request, refused?: FormState): Promise<ShownPage> {
  const params = idOf(request);
  const { body: client, tag } = await callWithTag('getClient', { params });
  const path = `${CLIENTS_PATH}/${params.id}`;
  // A conflict was shown: the next submission is based on the version that exists now.
  const form = refused
    ? { ...refused, ...(refused.isOutdated && { tag }) }
    : newForm(fieldsOf({ ...client, countryWas: client.country }), tag);
  return clientFormPage({
    form,
    title: `Editar ${clientName(client)}`,
    action: `${path}/edit`,
    submit: 'Guardar los cambios',
    cancel: path,
    current: path,
  });
}

export const clientPages: readonly Page[] = [
  page({
    method: 'GET',
    path: CLIENTS_PATH,
    access: 'clients:read',
    handle: async ({ caller, query: given, call }) => {
      const query = pick(given, ['search', 'active', 'cursor']);
      const active = activeIn(query);
      const { data, total, nextCursor } = await call('listClients', { query: { ...query, active } });
      return clientListPage({
        filter: newForm(fieldsOf({ ...query, active })),
        rows: data,
        total,
        nextCursor,
        query,
        timeZone: caller.timeZone,
        canImport: can(caller.role, 'clients:manage'),
      });
    },
  }),
  page({ method: 'GET', path: ONE, access: 'clients:read', handle: (request) => showClient(request) }),
  page({ method: 'GET', path: `${ONE}/edit`, access: 'clients:update', handle: (request) => showForm(request) }),
  page({
    method: 'POST',
    path: `${ONE}/edit`,
    access: 'clients:update',
    handle: (request) => {
      const { form, call } = request;
      const params = idOf(request);
      return submitted(request, {
        submit: async () => {
          const body = form.bodyFor('updateClient');
          // A client without a country of its own shows that of the business.
          if (valueOf(form, 'country') === valueOf(form, 'countryWas')) delete body.country;
          const { warnings } = await call('updateClient', { params, body, tag: form.tag });
          const notice = (warnings?.length ?? 0) > 0 ? 'client_saved_tax_id' : 'client_saved';
          return { redirectTo: `${CLIENTS_PATH}/${params.id}?notice=${notice}` };
        },
        show: (refused) => showForm(request, refused),
      });
    },
  }),
  page({
    method: 'POST',
    path: `${ONE}/delete`,
    access: 'clients:delete',
    handle: (request) =>
      submitted(request, {
        submit: async () => {
          const { form, call } = request;
          const params = idOf(request);
          await call('deleteClient', { params, tag: form.tag });
          return { redirectTo: `${CLIENTS_PATH}/${params.id}?notice=client_deactivated` };
        },
        show: (refused) => showClient(request, refused),
      }),
  }),
  page({
    method: 'POST',
    path: `${ONE}/activate`,
    access: 'clients:update',
    handle: (request) =>
      submitted(request, {
        submit: async () => {
          const { form, call } = request;
          const params = idOf(request);
          await call('updateClient', { params, body: { isActive: true }, tag: form.tag });
          return { redirectTo: `${CLIENTS_PATH}/${params.id}?notice=client_activated` };
        },
        show: (refused) => showClient(request, refused),
      }),
  }),
];
