import { TypedSearchAttributes } from '@temporalio/common';
import { quoteLabel } from '../domain/quote-drawing.ts';
import { attributes, type DeliveryRef, type DeliveryStart, once, queues, workflowIds } from './contract.ts';

/** How a delivery to a webhook is started. */
export const deliveryStart = ({ quoteId, quoteNumber, ...delivery }: DeliveryStart, requestId: string | null) => ({
  ...once,
  workflowId: workflowIds.delivery(delivery),
  taskQueue: queues.workflows,
  args: [{ tenantId: delivery.tenantId, deliveryId: delivery.deliveryId }] as [DeliveryRef],
  staticSummary: [
    `Webhook · ${delivery.event}`,
    ...(quoteNumber === null ? [] : [quoteLabel(quoteNumber)]),
    ...(delivery.replay === 0 ? [] : [`repetición ${delivery.replay}`]),
  ].join(' · '),
  // Its only activity waits between attempts, and only the server knows until when, so the text names where to find it.
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
