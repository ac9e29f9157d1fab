import type { DeliveryStatus, NoAnswer } from '../../domain/http-delivery.ts';
import { Row } from './row.ts';

/** One row of `webhook_deliveries`: one event for one webhook, with how its newest attempt ended. */
export class WebhookDelivery extends Row {
  static override readonly tableName = 'webhookDeliveries';

  declare id: string;
  declare tenantId: string;
  declare webhookId: string;
  declare event: string;
  declare eventId: string; //              `webhook-id` of each attempt
  declare replay: number; //               0, then one more for each repetition
  declare sequence: string | null; //      bigint, per tenant
  declare payload: string; //              the body, byte for byte
  declare status: DeliveryStatus; //       text + check
  declare statusCode: number | null; //    0 = no answer, null = not tried yet
  declare responseBody: string | null;
  declare errorCode: NoAnswer | null; //   text + check
  declare dueAt: Date | null; //           when the next attempt may begin; null = at once
  declare deliveredAt: Date | null;
  declare completedAt: Date | null;
  declare bodiesPurgedAt: Date | null; //  payload and answers were emptied
  declare createdAt: Date;
  declare dispatchedAt: Date | null; //    since then Temporal has its workflow
  declare dispatchFailures: number; //     in a row; the webhook's attempts are rows of `webhook_attempts`
  declare dispatchAfter: Date;
}
