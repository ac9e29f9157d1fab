import { fieldsOf, type Fields, type FormState } from '../../../console/forms/form-state.ts';
import { type Deactivation, webhookPage } from '../../../console/webhooks/detail-page.ts';
import { webhookFormPage } from '../../../console/webhooks/form-page.ts';
import { PATH, webhookListPage } from '../../../console/webhooks/list-page.ts';
import { secretPage } from '../../../console/webhooks/secret-page.ts';
import { type Page, page, type PageRequest, type ShownPage } from '../declaration.ts';
import { newForm } from '../form.ts';
import { submitted } from '../page.ts';
import { pick } from '../pick.ts';
import { deliveryPages } from './deliveries.ts';

const common = { access: 'config:manage', feature: 'webhooks' } as const;
type Request = PageRequest<'config:manage'>;

const showNew = (form: FormState): ShownPage =>
  webhookFormPage({
    form,
    title: 'Webhook nuevo',
    action: `${PATH}/new`,
    submit: 'Crear el webhook',
    cancel: PATH,
    isNew: true,
  });

async function showEdit({ call, params: { id = '' } }: Request, form?: FormState): Promise<ShownPage> {
  const { url, events } = await call('getWebhook', { params: { id } });
  // The events are check boxes of one name.
  const fields: Fields = new Map([...fieldsOf({ url }), ['events', events]]);
  return webhookFormPage({
    form: form ?? newForm(fields),
    title: 'Editar el webhook',
    action: `${PATH}/${id}/edit`,
    submit: 'Guardar',
    cancel: `${PATH}/${id}`,
    isNew: false,
  });
}

async function showDetail({ call, caller, params: { id = '' }, query }: Request): Promise<ShownPage> {
  const webhook = await call('getWebhook', { params: { id } });
  const { cursor } = pick(query, ['cursor']);
  const found = await call('listWebhookDeliveries', { params: { id }, query: { ...(cursor && { cursor }) } });
  return webhookPage({
    webhook,
    deactivation: webhook.isActive ? undefined : await lastDeactivation(call, id),
    deliveries: found.data,
    cursor,
    nextCursor: found.nextCursor,
    form: newForm(),
    timeZone: caller.timeZone,
  });
}

/** From the newest changes of webhooks; undefined when there were many since. */
async function lastDeactivation(call: Request['call'], id: string): Promise<Deactivation | undefined> {
  const { data } = await call('listAuditLogs', { query: { entity: 'Webhook', action: 'update', limit: 100 } });
  const entry = data.find(({ entityId, metadata }) => entityId === id && isDeactivation(metadata['after']));
  if (!entry) return undefined;
  const { reason } = entry.metadata;
  return {
    at: entry.createdAt,
    by: entry.user?.name ?? null,
    reason: reason === 'gone' || reason === 'failing' ? reason : undefined,
  };
}

const isDeactivation = (after: unknown): boolean =>
  typeof after === 'object' && after !== null && 'isActive' in after && after.isActive === false;

const switchPage = (verb: 'activate' | 'deactivate'): Page =>
  page({
    ...common,
    method: 'POST',
    path: `${PATH}/:id/${verb}`,
    handle: async ({ call, params: { id = '' } }) => {
      await call('updateWebhook', { params: { id }, body: { isActive: verb === 'activate' } });
      // An inactive webhook says so itself.
      return { redirectTo: `${PATH}/${id}${verb === 'activate' ? '?notice=webhook_activated' : ''}` };
    },
  });

export const webhookPages: readonly Page[] = [
  page({
    ...common,
    method: 'GET',
    path: PATH,
    handle: async ({ call, caller: { timeZone } }) => webhookListPage(await call('listWebhooks'), timeZone),
  }),
  page({ ...common, method: 'GET', path: `${PATH}/new`, handle: () => showNew(newForm()) }),
  page({
    ...common,
    method: 'POST',
    path: `${PATH}/new`,
    handle: ({ form, call, caller }) =>
      submitted(
        { form },
        {
          // The secret is in no address: a reload submits the form again and gets the same webhook.
          submit: async () =>
            secretPage(
              await call('createWebhook', { body: form.bodyFor('createWebhook'), key: form.key }),
              caller.timeZone,
            ),
          show: showNew,
        },
      ),
  }),
  page({ ...common, method: 'GET', path: `${PATH}/:id`, handle: showDetail }),
  page({ ...common, method: 'GET', path: `${PATH}/:id/edit`, handle: (request) => showEdit(request) }),
  page({
    ...common,
    method: 'POST',
    path: `${PATH}/:id/edit`,
    handle: async (request) => {
      const { form, call, params } = request;
      const { id = '' } = params;
      return submitted(request, {
        submit: async () => {
          await call('updateWebhook', { params: { id }, body: form.bodyFor('updateWebhook') });
          return { redirectTo: `${PATH}/${id}?notice=webhook_saved` };
        },
        show: (refused) => showEdit(request, refused),
      });
    },
  }),
  page({
    ...common,
    method: 'POST',
    path: `${PATH}/:id/rotate-secret`,
    handle: async ({ call, form, caller, params: { id = '' } }) =>
      secretPage(await call('rotateWebhookSecret', { params: { id }, key: form.key }), caller.timeZone),
  }),
  switchPage('activate'),
  switchPage('deactivate'),
  page({
    ...common,
    method: 'POST',
    path: `${PATH}/:id/delete`,
    handle: async ({ call, params: { id = '' } }) => {
      await call('deleteWebhook', { params: { id } });
      return { redirectTo: `${PATH}?notice=webhook_deleted` };
    },
  }),
  ...deliveryPages,
];
