import type { FormState } from '../../../console/forms/form-state.ts';
import { deliveryPage } from '../../../console/webhooks/delivery-page.ts';
import { PATH } from '../../../console/webhooks/list-page.ts';
import { ServiceError } from '../../../domain/errors.ts';
import { type Page, page, type PageRequest, type ShownPage } from '../declaration.ts';
import { newForm } from '../form.ts';
import { submitted } from '../page.ts';

const common = { access: 'config:manage', feature: 'webhooks' } as const;
type Request = PageRequest<'config:manage'>;

async function showDelivery({ call, caller, params }: Request, form: FormState = newForm()): Promise<ShownPage> {
  const { id = '', deliveryId = '' } = params;
  const delivery = await call('getWebhookDelivery', { params: { id, deliveryId } });
  return deliveryPage({ delivery, form, timeZone: caller.timeZone });
}

const isUnreachable = (thrown: unknown): boolean =>
  thrown instanceof ServiceError && thrown.reason === 'endpoint_unreachable';

export const deliveryPages: readonly Page[] = [
  page({
    ...common,
    method: 'POST',
    path: `${PATH}/:id/test`,
    handle: async ({ call, form, params: { id = '' } }) => {
      try {
        await call('testWebhook', { params: { id }, key: form.key });
      } catch (thrown) {
        // The delivery says why.
        if (!isUnreachable(thrown)) throw thrown;
      }
      const { data } = await call('listWebhookDeliveries', { params: { id }, query: { limit: 10 } });
      const tested = data.find(({ event }) => event === 'webhook.test');
      return { redirectTo: `${PATH}/${id}${tested ? `/deliveries/${tested.id}` : ''}` };
    },
  }),
  page({
    ...common,
    method: 'GET',
    path: `${PATH}/:id/deliveries/:deliveryId`,
    handle: (request) => showDelivery(request),
  }),
  page({
    ...common,
    method: 'POST',
    path: `${PATH}/:id/deliveries/:deliveryId/replay`,
    handle: async (request) => {
      const { call, form, params } = request;
      const { id = '', deliveryId = '' } = params;
      return submitted(request, {
        submit: async () => {
          const replayed = await call('replayWebhookDelivery', { params: { id, deliveryId }, key: form.key });
          return { redirectTo: `${PATH}/${id}/deliveries/${replayed.id}?notice=delivery_replayed` };
        },
        show: (refused) => showDelivery(request, refused),
      });
    },
  }),
];
