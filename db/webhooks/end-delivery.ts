import type { DeliveryStatus, NoAnswer } from '../../domain/http-delivery.ts';
import { WebhookDelivery } from '../models/webhook-delivery.ts';
import { tenantOf, type TenantTransaction } from '../with-tenant.ts';

/** How a call ended. */
export interface EndpointResponse {
  /** 0 = no response. */
  readonly statusCode: number;
  readonly errorCode: NoAnswer | null;
  readonly body: string;
  readonly durationMs: number;
}

/** Ends a delivery without a success; `response` is that of its last attempt. */
export async function endDelivery(
  trx: TenantTransaction,
  deliveryId: string,
  {
    status,
    at,
    response,
  }: { status: Exclude<DeliveryStatus, 'PENDING' | 'DELIVERED'>; at: Date; response?: EndpointResponse },
): Promise<void> {
  await WebhookDelivery.query(trx)
    .findOne({ tenantId: tenantOf(trx), id: deliveryId })
    .patch({ ...(response && newestAttempt(response)), status, completedAt: at, dueAt: null });
}

/** The columns of a delivery that show its newest attempt. */
export const newestAttempt = ({ statusCode, body, errorCode }: EndpointResponse) => ({
  statusCode,
  responseBody: body,
  errorCode,
});
