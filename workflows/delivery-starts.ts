import { type SearchAttributePair, TypedSearchAttributes } from '@temporalio/common';
import { quoteLabel } from '../domain/quote-drawing.ts';
import {
  attributes,
  type BatchStart,
  type DeliveryRef,
  type DeliveryStart,
  type FirstAttemptsInput,
  once,
  queues,
  workflowIds,
} from './contract.ts';

/** How deliveries are started, in either form. */

/** How a delivery to a webhook is started. */
export const deliveryStart = ({ quoteId, quoteNumber, ...delivery }: DeliveryStart, requestId: string | null) => ({
  ...once,
  workflowId: workflowIds.delivery(delivery),
  taskQueue: queues.webhooks,
  args: [{ tenantId: delivery.tenantId, deliveryId: delivery.deliveryId }] as [DeliveryRef],
  staticSummary: [
    `Webhook · ${delivery.event}`,
    ...(quoteNumber === null ? [] : [quoteLabel(quoteNumber)]),
    ...(delivery.replay === 0 ? [] : [`repetición ${delivery.replay}`]),
  ].join(' · '),
  // Only the server knows when the pending activity is retried, so the text says where to look.
  staticDetails: [
    `Entrega \`${delivery.deliveryId}\` del evento \`${delivery.event}\` al webhook \`${delivery.webhookId}\`.`,
    '',
    'Mientras el endpoint no conteste 2xx, se le vuelve a llamar. **Pending Activities** dice el último resultado y la hora del siguiente intento.',
  ].join('\n'),
  typedSearchAttributes: new TypedSearchAttributes([
    { key: attributes.tenantId, value: delivery.tenantId },
    { key: attributes.webhookId, value: delivery.webhookId },
    { key: attributes.eventType, value: delivery.event },
    ...(quoteId === null ? [] : [{ key: attributes.quoteId, value: quoteId }]),
    ...(quoteNumber === null ? [] : [{ key: attributes.quoteNumber, value: quoteNumber }]),
  ]),
  memo: { requestId: requestId ?? '' },
  priority: { fairnessKey: delivery.tenantId },
});

/** How the first attempts of several deliveries are started together. */
export const firstAttemptsStart = (
  { tenantId, batchId, deliveries }: BatchStart,
  requestIds: readonly string[] = [],
) => ({
  ...once,
  workflowId: workflowIds.firstAttempts(batchId),
  taskQueue: queues.webhooks,
  args: [
    { tenantId, batchId, deliveries: deliveries.map(({ deliveryId, webhookId }) => ({ deliveryId, webhookId })) },
  ] as [FirstAttemptsInput],
  staticSummary: `Webhooks · primer intento de ${deliveries.length} entregas`,
  staticDetails: [
    'Lleva el primer intento de estas entregas. La que no se entrega a la primera sigue sola, en la ejecución que aquí se nombra:',
    '',
    ...deliveries.map((delivery) => `- \`${delivery.event}\`: \`${workflowIds.delivery(delivery)}\``),
  ].join('\n'),
  typedSearchAttributes: new TypedSearchAttributes([
    { key: attributes.tenantId, value: tenantId },
    ...listed(
      attributes.webhookIds,
      deliveries.map(({ webhookId }) => webhookId),
    ),
    ...listed(
      attributes.quoteIds,
      deliveries.map(({ quoteId }) => quoteId),
    ),
  ]),
  memo: { requestIds: [...new Set(requestIds)] },
  priority: { fairnessKey: tenantId },
});

/** Each once; an attribute is left out rather than set to nothing. */
function listed(key: typeof attributes.webhookIds, ids: readonly (string | null)[]): SearchAttributePair[] {
  const value = [...new Set(ids.filter((id) => id !== null))];
  return value.length === 0 ? [] : [{ key, value }];
}
